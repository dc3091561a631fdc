import type { Knex } from 'knex'
import type { Hot } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'
import type { FactRow } from './facts-outbox.ts'

/** What a pack listens to. */
export interface Listening {
  readonly pack: string
  readonly names: readonly string[]
}

/** What lies before the listeners, at one moment. */
export interface Probe {
  /** All transactions below it have ended: what they recorded can be seen and is complete. */
  readonly horizon: string
  /** There are facts that cannot be read yet, because older transactions are open. */
  readonly above: boolean
  /** Packs with facts to read or a held fact whose next attempt is due, first the one that is furthest behind. */
  readonly due: readonly string[]
}

/** Of the session that has a transaction: a session that has written holds the lock on its id. */
const holder = (transaction: string) => `pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted and l.transactionid = ${transaction}::xid`

/** Where a pooler gives connections a name of its own, all of them may be a platform's. */
const isPlatform = (name: string) => `${name} like 'agent-platform%'`

/**
 * The oldest open transaction that may have recorded facts. It has written something, or locked rows: one that only reads
 * has no id, and is in no snapshot. And it is not known to belong to another database on the server, nor to a session with
 * the name of another application, such as psql.
 */
const ownHorizon = `coalesce((
  select x from pg_snapshot_xip(s) x where not exists (
    select from ${holder('x')} and (a.datname <> current_database()
      or a.application_name <> '' and not ${isPlatform('a.application_name')}
        and ${isPlatform("current_setting('application_name')")}))
   order by x limit 1), pg_snapshot_xmax(s))`

const unread = `(f.transaction, f.position) > (c.transaction, c.position)
  and not pg_visible_in_snapshot(f.transaction, c.since)`

/** Looks for something to do, and moves the cursors of packs that have nothing to do up to the horizon. */
export async function probe(hot: Hot, listening: readonly Listening[]): Promise<Probe> {
  // Any other plan than by index would go through all facts there are, for each pack that listens.
  const rows = await hot.query<Probe>(
    'facts.probe',
    `with newest as materialized (
       select coalesce((select transaction from kernel.fact order by transaction desc, position desc limit 1), '0') as transaction),
     now as materialized (
       select case when newest.transaction < pg_snapshot_xmin(s) then pg_snapshot_xmin(s) else ${ownHorizon} end as horizon
         from pg_current_snapshot() s, newest),
     cursor as materialized (
       select c.*, l.names from jsonb_to_recordset($1::jsonb) as l(pack text, names text[])
         join kernel.fact_cursor c using (pack)),
     due as materialized (
       select c.pack, c.transaction, c.position from cursor c, now
        where exists (select from kernel.fact f where ${unread} and f.transaction < horizon and f.name = any(c.names))
           or exists (select from kernel.fact_held h
                       where h.pack = c.pack and h."parkedAt" is null and h."nextAt" <= now())),
     passed as (
       update kernel.fact_cursor set transaction = horizon, position = 0 from now
        where pack in (
          select c.pack from kernel.fact_cursor c
           where c.pack in (select pack from cursor) and c.pack not in (select pack from due)
             and c.transaction < (select horizon from now) and exists (
               select from kernel.fact f where (f.transaction, f.position) > (c.transaction, c.position)
                  and f.transaction < (select horizon from now))
             for update skip locked))
     select horizon, newest.transaction >= horizon as above,
       array(select pack from due order by transaction, position) as due
     from now, newest`,
    [JSON.stringify(listening)]
  )
  return rows[0] as Probe
}

/** Who has a transaction open. */
export interface Holder {
  readonly pid: number
  readonly application: string
  /** Null, as the next: not for this role to know. */
  readonly user: string | null
  /** How long it has been open. */
  readonly seconds: number | null
}

/** Undefined for one that has ended by now, or was prepared and left by its session. */
export async function findHolder(knex: Knex, transaction: string): Promise<Holder | undefined> {
  const { rows } = await knex.raw<{ rows: Holder[] }>(
    `select a.pid, a.application_name as application, a.usename as user,
       extract(epoch from clock_timestamp() - a.xact_start)::int as seconds from ${holder('?::xid8')}`,
    [transaction]
  )
  return rows[0]
}

/** Gives packs that have none a cursor: they get what becomes visible from now on. */
export async function enlist(knex: Knex, packs: readonly string[]): Promise<void> {
  await knex.raw(
    `insert into kernel.fact_cursor (pack, transaction, position, since)
     select pack, pg_snapshot_xmin(s), 0, s from unnest(?::text[]) pack, pg_current_snapshot() s
     on conflict do nothing`,
    [[...packs]]
  )
}

interface Reading extends Listening {
  readonly horizon: string
  readonly limit: number
  /** Milliseconds that a statement of this transaction may take from here on. */
  readonly statementMs: number
}

/**
 * Takes the pack's cursor until the transaction ends, and reads on from it; undefined when another has it.
 * The horizon is from before this statement, so that all below it can be seen in here.
 */
export async function read(trx: Trx, reading: Reading): Promise<readonly FactRow[] | undefined> {
  const { pack, names, horizon, limit, statementMs } = reading
  const { rows } = await trx.raw<{ rows: (FactRow & { id: string | null })[] }>(
    `with c as materialized (
       select *, set_config('statement_timeout', ?::text, true)
         from kernel.fact_cursor where pack = ? for update skip locked)
     select f.* from c left join lateral (
       select f.* from kernel.fact f
        where ${unread} and f.transaction < ?::xid8 and f.name = any(?::text[])
        order by f.transaction, f.position limit ?
     ) f on true`,
    [`${statementMs}`, pack, horizon, [...names], limit]
  )
  return rows.length > 0 ? rows.filter(({ id }) => id !== null) : undefined
}
