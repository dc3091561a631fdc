import type { Kernel, NewRow, Trx } from 'agent-platform'
import { OrNull, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Answer } from '../contract.ts'

export type QuestionStore = ReturnType<typeof createQuestionStore>

const Question = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  runId: Type.String(),
  callId: Type.String(),
  message: Type.String(),
  schema: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
  deadline: Type.String(),
  resume: OrNull(
    Type.String({
      description: 'Sealed; null where the call cannot go on without its process, and once it has gone on'
    })
  ),
  action: OrNull(Type.Unsafe<Answer['action']>({})),
  content: OrNull(Type.Unsafe<NonNullable<Answer['content']>>({}))
})
type Question = Static<typeof Question> & { readonly project: string }
const questions = table('runs.question', Question)

/** A question without an answer, as it is shown: with the call that asks. */
export type OpenQuestion = Pick<Question, 'id' | 'callId' | 'message' | 'schema' | 'deadline'> & {
  readonly toolName: string
  readonly args: unknown
}

/** What tools asked, and the answers. */
export function createQuestionStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string): Promise<Question | undefined> => questions.find(knex, id),

    /** Those of a run that nothing was answered to, the oldest first. */
    listOpen: (project: string, runId: string): Promise<OpenQuestion[]> =>
      knex('runs.question as q')
        .join('runs.call as c', { 'c.project': 'q.project', 'c.id': 'q.callId' })
        .where({ 'q.project': project, 'q.runId': runId })
        .whereNull('q.action')
        .orderBy('q.id')
        .select('q.id', 'q.callId', 'c.toolName', 'c.args', 'q.message', 'q.schema', 'q.deadline'),

    insert: (trx: Trx, row: NewRow<Question>): Promise<Question> => questions.insert(trx, row),

    /** False when it was answered before. */
    async update(trx: Trx, project: string, id: string, action: Answer['action'], content: unknown) {
      const answer = { action, content: content === null ? null : JSON.stringify(content) }
      return (await trx('runs.question').where({ project, id }).whereNull('action').update(answer)) === 1
    },

    /** The question by which a call goes on in another process. */
    findResumable: (project: string, callId: string): Promise<{ id: string; resume: string } | undefined> =>
      knex('runs.question').where({ project, callId }).whereNotNull('resume').first('id', 'resume'),

    /** The call goes on: whatever comes of that, it does not a second time. */
    async settleResumed(project: string, id: string): Promise<void> {
      await knex('runs.question').where({ project, id }).update({ resume: null })
    },

    /** Of calls that were lost with their process: no answer would reach them. */
    settleLost: (trx: Trx, project: string, runId: string): Promise<number> =>
      trx('runs.question')
        .where({ project, runId, resume: null })
        .whereNull('action')
        .update({ action: 'cancel' }),

    removeOfRuns: (trx: Trx, project: string, runs: readonly string[]): Promise<number> =>
      trx('runs.question').where({ project }).whereIn('runId', runs).delete()
  }
}
