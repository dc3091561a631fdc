import type { Knex } from 'knex'

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
  /** Who runs it; null once it has ended. A number in text. */
  readonly instance: string | null
  /** A change that it made is committed. */
  readonly applied: boolean
  readonly expired: boolean
  readonly reply: Reply | null
}

const ONE = 'project = ? and id = ? and attempt = ?'
const one = ({ project, id, attempt }: Run) => [project, id, attempt]

/** The record of requests with a key. Times are the database's. */
export function createAttemptStore(knex: Knex) {
  const changed = async (sql: string, values: readonly Knex.Value[], on: Knex | Knex.Transaction = knex) =>
    (await on.raw<{ rowCount: number }>(sql, values)).rowCount > 0

  return {
    /** Inserts no row when the request is known already. */
    insert: (run: Run, digest: Buffer, instance: number) =>
      knex.raw<{ rowCount: number }>(
        // The conflict alone would wait for a transaction of the first request that is still open.
        `insert into kernel.idempotency (project, id, attempt, digest, instance, "expiresAt")
         select ?::text, ?::bytea, ?::uuid, ?::bytea, ?::bigint, now() + interval '24 hours'
         where not exists (select from kernel.idempotency where project = ? and id = ?)
         on conflict (project, id) do nothing`,
        [...one(run), digest, instance, run.project, run.id]
      ),

    async find({ project, id }: RequestKey): Promise<Known | undefined> {
      const { rows } = await knex.raw(
        `select attempt, digest, instance, applied, "expiresAt" <= now() as expired,
           case when status is not null then json_build_object('status', status, 'headers', headers,
             'body', convert_from(body, 'UTF8')) end as reply
         from kernel.idempotency where project = ? and id = ?`,
        [project, id]
      )
      return rows[0]
    },

    /** Makes room for another try, unless this one changed something or has a reply. Waits for no transaction. */
    remove: (run: Run): Promise<boolean> =>
      changed(
        `delete from kernel.idempotency where (project, id) in (
           select project, id from kernel.idempotency
           where ${ONE} and ("expiresAt" <= now() or (not applied and status is null))
           for update skip locked)`,
        one(run)
      ),

    /** False when the try is not the current one any more: its transaction must not commit. */
    apply: (trx: Knex.Transaction, run: Run): Promise<boolean> =>
      changed(`update kernel.idempotency set applied = true where ${ONE}`, one(run), trx),

    keep: (run: Run, { status, headers, body }: Reply): Promise<boolean> =>
      changed(
        `update kernel.idempotency set instance = null, status = ?, headers = ?, body = ? where ${ONE}`,
        [status, JSON.stringify(headers), Buffer.from(body), ...one(run)]
      ),

    /** The try ended without a reply: nothing is known of it any more, unless it changed something. */
    async forget(run: Run): Promise<void> {
      if (
        await changed(
          `delete from kernel.idempotency where ${ONE} and not applied and status is null`,
          one(run)
        )
      )
        return
      await changed(`update kernel.idempotency set instance = null where ${ONE}`, one(run))
    },

    /** Removes what has expired; returns how many. */
    prune: (): Promise<number> => knex('kernel.idempotency').where('expiresAt', '<=', knex.fn.now()).delete()
  }
}
