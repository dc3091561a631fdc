import type { Knex } from 'knex'
import type { Session } from './session.ts'

/** What an instance says of itself in its row. */
export interface Instance {
  /** Undefined before the first registration. */
  readonly id: number | undefined
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly draining: boolean
  /** Where it listens, as seen from its own host; undefined: nowhere that others could reach. */
  readonly url?: string | undefined
}

/** First key of the advisory locks that instances hold on their ids. */
export const instanceLock = 1_634_168_436

/** Registers an instance and takes its lock: under its old id, unless it was declared dead since. */
export async function enter(session: Session, self: Instance): Promise<number> {
  const id = (await resume(session, self)) ?? (await register(session, self))
  if (self.url !== undefined)
    await session.query('update kernel.instance set url = $2 where id = $1', [id, self.url])
  // A heartbeat must not wait for a disk.
  await session.query('set synchronous_commit = off')
  return id
}

async function register(session: Session, { host, pid, version, draining }: Instance): Promise<number> {
  await session.query(`delete from kernel.instance where "deadAt" < now() - interval '30 days'`)
  // Locked before the row can be seen, so that no other instance takes a new one for dead.
  const [row] = await session.query<{ id: number }>(
    `with registered as (
       insert into kernel.instance (host, pid, version, draining) values ($1, $2, $3, $4) returning id)
     select id, pg_advisory_lock($5, id) from registered`,
    [host, pid, version, draining, instanceLock]
  )
  return (row as { id: number }).id
}

async function resume(session: Session, { id, host, pid, draining }: Instance): Promise<number | undefined> {
  if (id === undefined) return undefined
  // The server may not have noticed yet that the session before this one is gone.
  await session.query(
    `select pg_terminate_backend(l.pid) from pg_locks l
      where l.locktype = 'advisory' and l.mode = 'ExclusiveLock' and l.granted and l.pid <> pg_backend_pid()
        and l.database = (select oid from pg_database where datname = current_database())
        and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid and l.objsubid = 2
        and exists (select from kernel.instance where id = $2 and host = $3 and pid = $4)`,
    [instanceLock, id, host, pid]
  )
  await session.query('select pg_advisory_lock($1, $2)', [instanceLock, id])
  const rows = await session.query(
    `update kernel.instance set "heartbeatAt" = now(), draining = $4
      where id = $1 and host = $2 and pid = $3 and "deadAt" is null returning id`,
    [id, host, pid, draining]
  )
  if (rows.length === 1) return id
  await session.query('select pg_advisory_unlock($1, $2)', [instanceLock, id])
  return undefined
}

/**
 * Ids of the other instances that are gone, declared so for good. Just after the server itself started a
 * free lock says nothing yet: the living are still on their way back.
 */
export async function findDead(session: Session, self: number): Promise<number[]> {
  const rows = await session.query<{ id: number }>(
    `with declared as (
       update kernel.instance set "deadAt" = now()
        where id <> $2 and "deadAt" is null
          and ("heartbeatAt" < now() - interval '45 s'
               or pg_postmaster_start_time() < now() - interval '3 s'
                  and pg_try_advisory_xact_lock_shared($1, id))
       returning id)
     select id from declared union select id from kernel.instance where "deadAt" is not null and id <> $2
     order by id`,
    [instanceLock, self]
  )
  return rows.map(({ id }) => id)
}

/** An instance that lives, as its row has it. */
export interface Living extends Omit<Instance, 'id' | 'url'> {
  readonly id: number
  readonly url: string | null
  readonly startedAt: string
}

/** What a database says that no platform of this version has ever run on: no schema, no table, no column. */
const NEVER_MIGRATED = new Set(['3F000', '42P01', '42703'])

/** The instances that hold their locks, the latest first. Asks from outside, without being one. */
export async function listLiving(knex: Knex): Promise<readonly Living[]> {
  try {
    const { rows } = await knex.raw(
      `select id, host, pid, version, url, draining, "startedAt" from kernel.instance
        where "deadAt" is null and not pg_try_advisory_xact_lock_shared(?::int, id) order by id desc`,
      [instanceLock]
    )
    return rows
  } catch (error) {
    if (NEVER_MIGRATED.has(String((error as { code?: unknown }).code))) return []
    throw error
  }
}
