import type { Kernel, Owned, Trx } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { ConnectionRow } from '../schemas/connections.ts'
import { connections } from '../schemas/connections.ts'

export type ConnectionStore = ReturnType<typeof createConnectionStore>

type Key = Pick<ConnectionRow, 'project' | 'id'>
/** What is found out, and no edit of its owner's. */
export type Noted = Partial<
  Pick<
    ConnectionRow,
    'account' | 'accountId' | 'scopes' | 'status' | 'statusReason' | 'sealed' | 'retryAt' | 'removingSince'
  >
> & { readonly expiresAt?: string | null }

/** Of one owner. */
const MOST = 500
/** How long nobody's answer is waited for. */
const PENDING_HOURS = 1

export function createConnectionStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on('connections.connection')
  const noted = ({ scopes, ...rest }: Noted) => ({
    ...rest,
    ...(scopes && { scopes: JSON.stringify(scopes) })
  })

  return {
    find: ({ project, id }: Key): Promise<ConnectionRow | undefined> => rows().where({ project, id }).first(),

    /** 409 beyond what an owner may have. Those that nobody agreed to go first. */
    async insert(trx: Trx, row: Owned & Pick<ConnectionRow, 'id' | 'providerKey' | 'name'>): Promise<void> {
      const { project, owner } = row
      await rows(trx)
        .where({ project, owner, status: 'pending' })
        .where('createdAt', '<', knex.raw('now() - make_interval(hours => ?)', [PENDING_HOURS]))
        .delete()
      const [{ count } = { count: 0 }] = await rows(trx).where({ project, owner }).count({ count: '*' })
      if (Number(count) >= MOST)
        throw conflict(`An owner has at most ${MOST} connections`, { code: 'too_many' })
      await connections.insert(trx, { ...row, scopes: [], status: 'pending' } as never)
    },

    /**
     * For one caller at a time, on all instances, only while the token is still that one, and not before the provider may
     * be asked again: the row, and whether the one before was cut off in the middle of it. Undefined for the others.
     */
    async takeLease(
      { project, id, generation }: Key & Pick<ConnectionRow, 'generation'>,
      { seconds, by, dead }: { seconds: number; by: number | undefined; dead: readonly number[] }
    ): Promise<{ row: ConnectionRow; isInterrupted: boolean } | undefined> {
      const {
        rows: [taken]
      } = await knex.raw(
        `with before as (
           select id, "refreshingUntil" from connections.connection
           where project = ? and id = ? and generation = ? and status = 'active' and sealed is not null
             and ("retryAt" is null or "retryAt" <= now())
             and ("refreshingUntil" is null or "refreshingUntil" < now() or "refreshingBy" = any(?::int[]))
           for update skip locked
         )
         update connections.connection c
         set "refreshingUntil" = now() + make_interval(secs => ?), "refreshingBy" = ?
         from before where c.project = ? and c.id = before.id
         returning c.*, before."refreshingUntil" is not null as "isInterrupted"`,
        [project, id, generation, [...dead], seconds, by ?? null, project] as never
      )
      if (!taken) return undefined
      const { isInterrupted, ...row } = taken
      return { row, isInterrupted }
    },

    /**
     * By the one that has it: nothing where another took it meanwhile, or the token is another. `refusals`: how often in a
     * row the provider has rejected the renewal.
     */
    async removeLease(
      { project, id, generation, refreshingBy }: Key & Pick<ConnectionRow, 'generation' | 'refreshingBy'>,
      retryAt: Date | null,
      refusals: number
    ): Promise<void> {
      await rows()
        .where({ project, id, generation, refreshingBy })
        .update({ refreshingUntil: null, refreshingBy: null, retryAt, refusals })
    },

    /** Other tokens, or none: undefined where it has others by now, or is gone or going. */
    async updateTokens(
      trx: Trx,
      { project, id, generation }: Key & Pick<ConnectionRow, 'generation'>,
      changes: Noted
    ): Promise<ConnectionRow | undefined> {
      const [row] = await rows(trx)
        .where({ project, id, generation, removingSince: null })
        .update({
          ...noted(changes),
          generation: generation + 1,
          refreshingUntil: null,
          refreshingBy: null,
          retryAt: null,
          refusals: 0
        })
        .returning('*')
      return row
    },

    updateNoted: (on: Trx | undefined, { project, id }: Key, changes: Noted): Promise<number> =>
      rows(on).where({ project, id }).update(noted(changes)),

    remove: (trx: Trx, { project, id }: Key): Promise<number> => rows(trx).where({ project, id }).delete(),

    /** Taken back here, and not there yet. */
    listLeft: (limit: number): Promise<ConnectionRow[]> =>
      rows()
        .whereNotNull('removingSince')
        .where('removingSince', '<', knex.raw(`now() - interval '1 minute'`))
        .orderBy('removingSince')
        .limit(limit)
  }
}
