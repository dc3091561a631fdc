import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import type { FactRow, Place } from './facts-outbox.ts'
import { factColumns } from './facts-outbox.ts'

/** What a pack listens to. */
export interface Listening {
  readonly pack: string
  readonly names: readonly string[]
  /** A transaction id below which nothing is left for it. */
  readonly seen: string
}

/** What lies before the listeners, at one moment. */
export interface Probe {
  /** All transactions below it have ended: what they recorded can be seen and is complete. */
  readonly horizon: string
  /** There are facts that cannot be read yet, because older transactions are open. */
  readonly above: boolean
  /** Packs with facts to read. */
  readonly due: readonly string[]
  /** Packs with a held fact whose next attempt is due. */
  readonly retry: readonly string[]
  /** Milliseconds until the next attempt of a held fact that is not due yet. */
  readonly retryIn: number | null
  /** Packs without a cursor. */
  readonly missing: readonly string[]
}

/** Transactions of other databases on the server hold back this one too: cheap, and nearly always the same. */
const nearHorizon = 'pg_snapshot_xmin(s)'
/** Without the open transactions that are known to belong to another database. */
const exactHorizon = `coalesce((
  select x from pg_snapshot_xip(s) x where not exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted and l.transactionid = x::xid
       and a.datname <> current_database())
   order by x limit 1), pg_snapshot_xmax(s))`

const unread = `(f.transaction, f.position) > (c.transaction, c.position)
  and not pg_visible_in_snapshot(f.transaction, c.since)`

export async function probe(knex: Knex, listening: readonly Listening[], exact: boolean): Promise<Probe> {
  const { rows } = await knex.raw<{ rows: Probe[] }>(
    `with now as materialized (select s, ${exact ? exactHorizon : nearHorizon} as horizon from pg_current_snapshot() s),
     newest as materialized (select transaction from kernel.fact order by transaction desc, position desc limit 1),
     listening as materialized (
       select * from jsonb_to_recordset(?::jsonb) as l(pack text, names text[], seen xid8))
     select horizon::text,
       coalesce((select transaction >= horizon from newest), false) as above,
       array(select l.pack from listening l join kernel.fact_cursor c using (pack) where exists (
         select from kernel.fact f
          where ${unread} and f.transaction >= l.seen and f.transaction < horizon and f.name = any(l.names)
       )) as due,
       array(select l.pack from listening l join kernel.fact_cursor c using (pack) where c.holding and exists (
         select from kernel.fact_held h where h.pack = l.pack and h."parkedAt" is null and h."nextAt" <= now()
       )) as retry,
       (select ceil(extract(epoch from min(h."nextAt") - now()) * 1000)::int
          from listening l join kernel.fact_cursor c using (pack) join kernel.fact_held h using (pack)
         where c.holding and h."parkedAt" is null and h."nextAt" > now()) as "retryIn",
       array(select pack from listening l where not exists (
         select from kernel.fact_cursor c where c.pack = l.pack)) as missing
     from now`,
    [JSON.stringify(listening)]
  )
  return rows[0] as Probe
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

/** Removes all that is kept for a pack. */
export async function forget(knex: Knex, pack: string): Promise<void> {
  await knex.transaction(async (trx) => {
    await trx.raw('delete from kernel.fact_cursor where pack = ?', [pack])
    await trx.raw('delete from kernel.fact_held where pack = ?', [pack])
  })
}

export interface Batch {
  readonly facts: readonly FactRow[]
  /** Some subjects of the pack are held back. */
  readonly holding: boolean
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
export async function read(trx: Trx, reading: Reading): Promise<Batch | undefined> {
  const { pack, names, seen, horizon, limit, statementMs } = reading
  const { rows } = await trx.raw<{ rows: (FactRow & { holding: boolean; id: string | null })[] }>(
    `with c as materialized (
       select *, set_config('statement_timeout', ?::text, true)
         from kernel.fact_cursor where pack = ? for update skip locked)
     select c.holding, f.* from c left join lateral (
       select ${factColumns} from kernel.fact f
        where ${unread} and f.transaction >= ?::xid8 and f.transaction < ?::xid8 and f.name = any(?::text[])
        order by f.transaction, f.position limit ?
     ) f on true`,
    [`${statementMs}`, pack, seen, horizon, [...names], limit]
  )
  const [first] = rows
  return (
    first && {
      holding: first.holding,
      facts: first.id === null ? [] : rows.map(({ holding: _, ...row }) => row)
    }
  )
}

/** Takes the pack's cursor until the transaction ends; false when it has none, or another has it. */
export async function take(trx: Trx, pack: string, statementMs: number, busy: 'skip locked' | '' = '') {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `select set_config('statement_timeout', ?::text, true) from kernel.fact_cursor where pack = ? for update ${busy}`,
    [`${statementMs}`, pack]
  )
  return rows.length === 1
}

export async function move(trx: Trx, pack: string, { transaction, position }: Place): Promise<void> {
  await trx.raw('update kernel.fact_cursor set transaction = ?::xid8, position = ? where pack = ?', [
    transaction,
    position,
    pack
  ])
}

/** Moves cursors past facts that are none of their packs' business, up to the horizon. */
export async function skip(knex: Knex, packs: readonly string[], horizon: string): Promise<void> {
  await knex.raw(
    `update kernel.fact_cursor set transaction = cast(:horizon as xid8), position = 0
      where pack in (
        select c.pack from kernel.fact_cursor c
         where c.pack = any(cast(:packs as text[])) and c.transaction < cast(:horizon as xid8) and exists (
           select from kernel.fact f
            where (f.transaction, f.position) > (c.transaction, c.position) and f.transaction < cast(:horizon as xid8))
           for update skip locked)`,
    { packs: [...packs], horizon }
  )
}

/** Whether the listeners have read everything up to a place, and no attempt of a held fact is due. */
export async function caughtUp(knex: Knex, listening: readonly Listening[], to: Place): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { done: boolean }[] }>(
    `select not exists (
       select from jsonb_to_recordset(?::jsonb) as l(pack text, names text[])
         left join kernel.fact_cursor c using (pack)
        where c.pack is null
           or exists (select from kernel.fact f
                       where ${unread} and (f.transaction, f.position) <= (?::xid8, ?::bigint)
                         and f.name = any(l.names))
           or exists (select from kernel.fact_held h
                       where h.pack = c.pack and h."parkedAt" is null and h."nextAt" <= now())) as done`,
    [JSON.stringify(listening), to.transaction, to.position]
  )
  return rows[0]?.done === true
}

/** The last fact that can be seen. */
export async function newest(knex: Knex): Promise<Place | undefined> {
  const { rows } = await knex.raw<{ rows: Place[] }>(
    `select transaction::text, position::text from kernel.fact f order by f.transaction desc, f.position desc limit 1`
  )
  return rows[0]
}
