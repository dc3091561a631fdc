import type { Chunk, Kernel, Owned, Trx } from 'agent-platform'
import type { Answer } from '../contract.ts'
import { takeChunk } from './steps.ts'

export type QuestionStore = ReturnType<typeof createQuestionStore>

interface QuestionRow extends Owned {
  readonly id: string
  readonly runId: string
  readonly callId: string
}

/** What tools asked, and what they were told. */
export function createQuestionStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (
      id: string
    ): Promise<
      (QuestionRow & { action: Answer['action'] | null; content: Answer['content'] | null }) | undefined
    > =>
      knex('runs.question')
        .where({ id })
        .first('project', 'owner', 'id', 'runId', 'callId', 'action', 'content'),

    /** False when the chunk with the event is refused. */
    async insert(trx: Trx, row: QuestionRow, chunk: Chunk): Promise<boolean> {
      if (!(await takeChunk(trx, chunk))) return false
      await trx('runs.question').insert(row)
      return true
    },

    /** False when it was answered before. */
    async update(trx: Trx, project: string, id: string, action: Answer['action'], content: unknown) {
      const answer = { action, content: content === null ? null : JSON.stringify(content) }
      return (await trx('runs.question').where({ project, id }).whereNull('action').update(answer)) === 1
    },

    removeOfRuns: (trx: Trx, project: string, runs: readonly string[]): Promise<number> =>
      trx('runs.question').where({ project }).whereIn('runId', runs).delete()
  }
}
