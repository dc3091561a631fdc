import type { Kernel, Trx } from 'agent-platform'

export type AnswerStore = ReturnType<typeof createAnswerStore>

/** What an agent owes to a message. */
export interface Answer {
  readonly project: string
  readonly id: string
  /** As whom the agent runs. */
  readonly owner: string
  readonly spaceId: string
  readonly memberId: string
  readonly agentId: string
  readonly messageId: string
  readonly rootId: string
  readonly turn: number
  readonly runId: string
  readonly status: 'ordered' | 'begun' | 'answered' | 'silent' | 'skipped' | 'failed' | 'cancelled'
  readonly code: string | null
}

const NAME = 'spaces.answer'
const columns = [
  'project',
  'id',
  'owner',
  'spaceId',
  'memberId',
  'agentId',
  'messageId',
  'rootId',
  'turn',
  'runId',
  'status',
  'code'
] as const
const open = ['ordered', 'begun']

export const createAnswerStore = ({ knex }: Pick<Kernel, 'knex'>) => ({
  insertAll: async (
    trx: Trx,
    answers: readonly Omit<Answer, 'status' | 'code'>[]
  ): Promise<readonly string[]> =>
    (
      await trx(NAME)
        .insert(answers.map((answer) => ({ ...answer, status: 'ordered' })))
        .onConflict()
        .ignore()
        .returning('id')
    ).map(({ id }) => id),

  /** Answers that go back to each of these messages. */
  async countOfRoots(trx: Trx, project: string, rootIds: readonly string[]): Promise<Map<string, number>> {
    const found = await trx(NAME)
      .where({ project })
      .whereIn('rootId', [...rootIds])
      .groupBy('rootId')
      .select('rootId')
      .count('* as n')
    return new Map(found.map(({ rootId, n }) => [String(rootId), Number(n)]))
  },

  /** Those that have not begun. */
  listOrdered: (project: string, ids: readonly string[]): Promise<Answer[]> =>
    knex(NAME)
      .where({ project, status: 'ordered' })
      .whereIn('id', [...ids])
      .orderBy('id')
      .select(...columns),

  /** Those of these runs that are open, for this transaction alone. */
  takeOpenOf: (trx: Trx, project: string, runIds: readonly string[]): Promise<Answer[]> =>
    trx(NAME)
      .where({ project })
      .whereIn('runId', [...runIds])
      .whereIn('status', open)
      .orderBy('id')
      .forUpdate()
      .select(...columns),

  findOfRun: (project: string, runId: string): Promise<Answer | undefined> =>
    knex(NAME)
      .where({ project, runId })
      .first(...columns),

  /** What became of one that is open; false where it was not. */
  settle: async (
    on: Kernel['knex'] | Trx,
    { project, id }: Pick<Answer, 'project' | 'id'>,
    status: Answer['status'],
    code: string | null = null
  ): Promise<boolean> =>
    (await on(NAME)
      .where({ project, id })
      .whereIn('status', status === 'begun' ? ['ordered'] : open)
      .update({ status, code })) > 0,

  removeOld: (on: Kernel['knex'], before: Date): Promise<number> =>
    on(NAME).where('createdAt', '<', before).whereNotIn('status', open).delete()
})
