import type { Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { LockedCap } from '../rows.ts'

export type CapStore = ReturnType<typeof createCapStore>

type Period = 'day' | 'month' | 'total'

/** Which caps count what a run costs. */
export interface CapOfOwner {
  readonly id: string
  readonly agentId: string | null
  readonly sessionId: string | null
}

/** What a block of tokens lets be spent. */
export interface OfToken {
  readonly project: string
  readonly owner: string
  readonly token: string
  readonly limit: bigint
  /** Since when all tokens that have it are good for nothing; null: never. */
  readonly expiresAt: Date | null
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
    /** The id of the cap of a block of tokens, made where there is none yet: all that it says is digested in its name. */
    async takeOfToken(cap: OfToken): Promise<string> {
      const { rows } = await knex.raw(
        `insert into credits.cap (project, id, owner, token, period, "limit", "window", "expiresAt")
         values (:project, :id, :owner, :token, 'total', :limit, '', :expiresAt)
         on conflict (project, token) where token is not null
           do update set token = excluded.token returning id`,
        { ...cap, id: newId('cap'), limit: String(cap.limit) }
      )
      return rows[0].id
    },

    /** Those of tokens that are good for nothing since so long, and by which nothing is under way. */
    removeOfExpired: (days: number): Promise<number> =>
      knex('credits.cap')
        .whereNotNull('token')
        .where('reserved', 0)
        .where('expiresAt', '<', knex.raw(`now() - ? * interval '1 day'`, [days]))
        .delete(),

    listOfOwner: (project: string, owner: string): Promise<readonly CapOfOwner[]> =>
      knex('credits.cap').where({ project, owner, token: null }).select('id', 'agentId', 'sessionId'),

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

    /** Those of these owners, and these of tokens, as they stay until the transaction ends, each in the window that is now. */
    async lock(
      trx: Trx,
      project: string,
      owners: readonly string[],
      ids: readonly string[]
    ): Promise<readonly LockedCap[]> {
      const rows = await trx('credits.cap')
        .where({ project })
        .where((any) => {
          any.where((own) => void own.whereIn('owner', [...new Set(owners)]).whereNull('token'))
          if (ids.length > 0) any.orWhereIn('id', [...new Set(ids)])
        })
        .orderBy('id')
        .forUpdate()
        .select(
          'project',
          'id',
          'owner',
          'agentId',
          'sessionId',
          'token',
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
