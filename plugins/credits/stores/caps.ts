import type { Kernel, Trx } from 'agent-platform'
import type { LockedCap } from '../rows.ts'

export type CapStore = ReturnType<typeof createCapStore>

type Period = 'day' | 'month' | 'total'

/** Which caps count what a run costs. */
export interface CapOfOwner {
  readonly id: string
  readonly agentId: string | null
  readonly sessionId: string | null
}

/** Whether a cap counts what is spent for that agent and session. */
export const counts = (
  { agentId, sessionId }: Pick<CapOfOwner, 'agentId' | 'sessionId'>,
  about: { readonly agentId?: string | null; readonly sessionId?: string | null }
): boolean =>
  (agentId === null || agentId === about.agentId) && (sessionId === null || sessionId === about.sessionId)

/** What of caps is counted; they themselves are a table that people edit. */
export function createCapStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    listOfOwner: (project: string, owner: string): Promise<readonly CapOfOwner[]> =>
      knex('credits.cap').where({ project, owner }).select('id', 'agentId', 'sessionId'),

    /** The day or month that is now, in UTC. */
    async findWindow(trx: Trx, period: Period): Promise<string> {
      const { rows } = await trx.raw('select credits.window_of(?) as "window"', [period])
      return rows[0].window
    },

    async listWindows(): Promise<Readonly<Record<Period, string>>> {
      const { rows } = await knex.raw(
        `select credits.window_of('day') as day, credits.window_of('month') as month, '' as total`
      )
      return rows[0]
    },

    /** Those of these owners, as they stay until the transaction ends, each in the window that is now. */
    async lock(trx: Trx, project: string, owners: readonly string[]): Promise<readonly LockedCap[]> {
      const rows = await trx('credits.cap')
        .where({ project })
        .whereIn('owner', [...new Set(owners)])
        .orderBy('id')
        .forUpdate()
        .select(
          'project',
          'id',
          'owner',
          'agentId',
          'sessionId',
          'limit',
          'spent',
          'reserved',
          'told',
          'window'
        )
        .select(trx.raw('credits.window_of(period) as now'))
      return rows.map(({ now, window, limit, spent, reserved, told, ...row }) => ({
        ...row,
        limit: BigInt(limit),
        reserved: BigInt(reserved),
        spent: window === now ? BigInt(spent) : 0n,
        told: window === now ? told : 0,
        window: now
      }))
    },

    /** What is counted of caps that are locked. */
    async update(trx: Trx, caps: readonly LockedCap[]): Promise<void> {
      const rows = caps.map(({ id, spent, reserved, told, window }) => ({
        id,
        spent: String(spent),
        reserved: String(reserved),
        told,
        window
      }))
      await trx.raw(
        `update credits.cap c set spent = v.spent, reserved = v.reserved, told = v.told, "window" = v."window"
           from jsonb_to_recordset(?::jsonb) as v(id text, spent bigint, reserved bigint, told int, "window" text)
          where c.id = v.id`,
        [JSON.stringify(rows)]
      )
    }
  }
}
