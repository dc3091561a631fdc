import type { Knex } from 'knex'
import { isDatabaseAway } from '../data/connect.ts'

/** What identifies the requests that are one: their project, and a digest of the rest. */
export interface RequestKey {
  readonly project: string
  readonly id: Buffer
}

/** One try at a request. Every write names it, so that one that was taken for dead changes nothing any more. */
export interface Run extends RequestKey {
  readonly attempt: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is known of a request that came before. */
export interface Known {
  readonly attempt: string
  readonly digest: Buffer
  /** Who runs it; undefined once it has ended. */
  readonly instance: number | undefined
  /** A change that it made is committed. */
  readonly applied: boolean
  readonly expired: boolean
  readonly reply: Reply | undefined
}

interface Row {
  attempt: string
  digest: Buffer
  instance: string | null
  applied: boolean
  expired: boolean
  status: number | null
  headers: Record<string, string> | null
  body: Buffer | null
}

const LIFETIME = "interval '24 hours'"
const PRUNED_AT_ONCE = 5_000
const ONE = 'project = ? and id = ? and attempt = ?'
const one = ({ project, id, attempt }: Run) => [project, id, attempt]

/**
 * The record of requests with a key. Times are the database's. `unsure` hears of claims that were sent and whose
 * outcome the connection did not live to tell.
 */
export function createAttemptStore(knex: Knex, unsure: (run: Run, error: unknown) => void) {
  async function claim(run: Run, sql: string, values: readonly Knex.Value[]): Promise<boolean> {
    let sent = false
    const statement = knex.raw(sql, values).on('query', () => {
      sent = true
    })
    try {
      const { rowCount } = await statement
      return rowCount === 1
    } catch (error) {
      if (sent && isDatabaseAway(error)) unsure(run, error)
      throw error
    }
  }

  return {
    /** False when the request is known already. */
    insert: (run: Run, digest: Buffer, instance: number): Promise<boolean> =>
      claim(
        run,
        // The conflict alone would wait for a transaction of the first request that is still open.
        `insert into kernel.idempotency (project, id, attempt, digest, instance, "expiresAt")
         select ?::text, ?::bytea, ?::uuid, ?::bytea, ?::bigint, now() + ${LIFETIME}
         where not exists (select from kernel.idempotency where project = ? and id = ?)
         on conflict (project, id) do nothing`,
        [...one(run), digest, instance, run.project, run.id]
      ),

    async find({ project, id }: RequestKey): Promise<Known | undefined> {
      const { rows } = await knex.raw<{ rows: Row[] }>(
        `select attempt, digest, instance, applied, "expiresAt" <= now() as expired, status, headers, body
         from kernel.idempotency where project = ? and id = ?`,
        [project, id]
      )
      return rows[0] && knownOf(rows[0])
    },

    /**
     * Puts a new try in the place of a dead or expired one. False when another was faster, or while the old
     * one's transaction is still open.
     */
    takeOver: (old: string, run: Run, digest: Buffer, instance: number): Promise<boolean> =>
      claim(
        run,
        `with old as (
           select project, id from kernel.idempotency
           where ${ONE} and ("expiresAt" <= now() or (not applied and status is null))
           for update skip locked
         )
         update kernel.idempotency i
         set attempt = ?, digest = ?, instance = ?, applied = false, status = null, headers = null, body = null,
             "createdAt" = now(), "expiresAt" = now() + ${LIFETIME}
         from old where i.project = old.project and i.id = old.id`,
        [run.project, run.id, old, run.attempt, digest, instance]
      ),

    /** False when the try is not the current one any more: its transaction must not commit. */
    async apply(trx: Knex.Transaction, run: Run): Promise<boolean> {
      const { rowCount } = await trx.raw(
        `update kernel.idempotency set applied = true where ${ONE}`,
        one(run)
      )
      return rowCount === 1
    },

    async keep(run: Run, { status, headers, body }: Reply): Promise<void> {
      await knex.raw(
        `update kernel.idempotency set instance = null, status = ?, headers = ?, body = ? where ${ONE}`,
        [status, JSON.stringify(headers), Buffer.from(body), ...one(run)]
      )
    },

    /** The try ended without a reply: nothing is known of it any more, unless it changed something. */
    async forget(run: Run): Promise<void> {
      await knex.raw(
        `with gone as (delete from kernel.idempotency where ${ONE} and not applied and status is null)
         update kernel.idempotency set instance = null where ${ONE} and applied`,
        [...one(run), ...one(run)]
      )
    },

    /** Removes what has expired; returns how many. */
    async prune(): Promise<number> {
      let removed = 0
      for (;;) {
        const { rowCount } = await knex.raw(
          `delete from kernel.idempotency where (project, id) in (
             select project, id from kernel.idempotency where "expiresAt" <= now()
             limit ${PRUNED_AT_ONCE} for update skip locked)`
        )
        removed += rowCount
        if (rowCount < PRUNED_AT_ONCE) return removed
      }
    }
  }
}

const knownOf = ({ attempt, digest, instance, applied, expired, status, headers, body }: Row): Known => ({
  attempt,
  digest,
  instance: instance === null ? undefined : Number(instance),
  applied,
  expired,
  reply: status === null ? undefined : { status, headers: headers ?? {}, body: body?.toString() ?? '' }
})
