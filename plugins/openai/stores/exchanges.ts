import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Usage } from '../../runs/contract.ts'
import type { AskedFields } from '../protocol/response.ts'

export type ExchangeStore = ReturnType<typeof createExchangeStore>

/** A request and what it is answered with, which its run has. */
export interface Exchange extends Owned {
  readonly id: string
  readonly kind: 'chat' | 'response'
  readonly agentId: string
  readonly runId: string
  readonly sessionId: string | null
  readonly continues: string | null
  readonly previousId: string | null
  readonly after: number
  readonly used: Usage | null
  readonly digest: string
  readonly callId: string | null
  readonly stored: boolean
  readonly asked: AskedFields
  readonly input: readonly object[] | null
  readonly metadata: Readonly<Record<string, string>>
  readonly expiresAt: string | null
  readonly createdAt: string
}
export type NewExchange = Omit<Exchange, 'callId'>

const name = 'openai.exchange'
const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export function createExchangeStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<Exchange>(name)
  return {
    find: (id: string): Promise<Exchange | undefined> => rows().where({ id }).first(),

    /** The first one of a run. */
    findOfRun: (project: string, runId: string): Promise<Exchange | undefined> =>
      rows().where({ project, runId }).orderBy('id').first(),

    /** The newest one whose run waits for that call. */
    findOfCall: (project: string, callId: string): Promise<Exchange | undefined> =>
      rows().where({ project, callId }).orderBy('id', 'desc').first(),

    findNewest: (project: string, sessionId: string): Promise<Pick<Exchange, 'id'> | undefined> =>
      rows().where({ project, sessionId }).orderBy('id', 'desc').first('id'),

    /** Runs of a session up to that exchange, in order. */
    async listRuns(project: string, sessionId: string, id: string): Promise<readonly string[]> {
      const found = await rows()
        .where({ project, sessionId })
        .where('id', '<=', id)
        .orderBy('id')
        .select('runId')
      return [...new Set(found.map(({ runId }) => runId))]
    },

    listKnown: (
      trx: Trx,
      project: string,
      runIds: readonly string[]
    ): Promise<Pick<Exchange, 'runId' | 'owner'>[]> =>
      rows(trx)
        .where({ project })
        .whereIn('runId', [...runIds])
        .distinct('runId', 'owner'),

    /** False when another one goes on from the same response. */
    async insert(trx: Trx, { used, asked, input, metadata, ...row }: NewExchange): Promise<boolean> {
      const made = await trx(name)
        .insert({
          ...row,
          used: json(used),
          asked: json(asked),
          input: json(input),
          metadata: json(metadata)
        })
        .onConflict()
        .ignore()
        .returning('id')
      return made.length === 1
    },

    updateSession: ({ project, id }: Pick<Exchange, 'project' | 'id'>, sessionId: string) =>
      knex(name).where({ project, id }).update({ sessionId }),

    updateCall: ({ project, id }: Pick<Exchange, 'project' | 'id'>, callId: string) =>
      knex(name).where({ project, id }).update({ callId }),

    remove: ({ project, id }: Pick<Exchange, 'project' | 'id'>, on: Kernel['knex'] | Trx = knex) =>
      on(name).where({ project, id }).delete(),

    countOfSession: async (project: string, sessionId: string): Promise<number> => {
      const [found] = await rows().where({ project, sessionId }).count('id as count')
      return Number((found as unknown as { count: string }).count)
    },

    listExpired: (limit: number): Promise<Exchange[]> =>
      rows().where('expiresAt', '<', knex.fn.now()).orderBy('expiresAt').limit(limit)
  }
}
