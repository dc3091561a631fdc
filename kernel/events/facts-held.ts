import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import type { FactRow, Place } from './facts-outbox.ts'

/** A fact that failed, or waits behind one of its subject that did. */
export type HeldRow = FactRow & { readonly attempts: number }

export type ParkedRow = HeldRow & {
  readonly pack: string
  readonly error: string
  readonly parkedAt: string
}

type Subject = Pick<FactRow, 'project' | 'subject'>
export const keyOf = ({ project, subject }: Subject): string => `${project}\n${subject}`

/** Subjects of the pack that are held back. */
export async function subjects(trx: Trx, pack: string): Promise<Set<string>> {
  const { rows } = await trx.raw<{ rows: Subject[] }>(
    'select distinct project, subject from kernel.fact_held where pack = ? and "parkedAt" is null',
    [pack]
  )
  return new Set(rows.map(keyOf))
}

/** Puts facts behind the earlier ones of their subjects. */
export async function queue(trx: Trx, pack: string, facts: readonly FactRow[]): Promise<void> {
  if (facts.length === 0) return
  const columns = (['transaction', 'position', 'project', 'subject'] as const).map((name) =>
    facts.map((fact) => fact[name])
  )
  await trx.raw(
    `insert into kernel.fact_held (pack, transaction, position, project, subject)
     select ?, * from unnest(?::xid8[], ?::bigint[], ?::text[], ?::text[])`,
    [pack, ...columns]
  )
}

interface Failure {
  readonly attempts: number
  readonly error: string
  /** Milliseconds until the next attempt; null parks the fact. */
  readonly retryMs: number | null
}

/** Records that an attempt failed. */
export async function hold(trx: Trx, pack: string, fact: FactRow, failure: Failure): Promise<void> {
  const { transaction, position, project, subject } = fact
  await trx.raw(
    `insert into kernel.fact_held
       (pack, transaction, position, project, subject, attempts, error, "nextAt", "parkedAt")
     values (:pack, cast(:transaction as xid8), :position, :project, :subject, :attempts, :error,
       clock_timestamp() + cast(:retryMs as float) * interval '1 ms', case when cast(:retryMs as float) is null then now() end)
     on conflict (pack, transaction, position) do update
       set attempts = excluded.attempts, error = excluded.error, "nextAt" = excluded."nextAt",
           "parkedAt" = excluded."parkedAt"`,
    { pack, transaction, position, project, subject, ...failure } as Record<string, Knex.Value>
  )
}

/** Held facts of those subjects whose first one is due, in order. */
export async function due(trx: Trx, pack: string, limit: number): Promise<readonly HeldRow[]> {
  const { rows } = await trx.raw<{ rows: HeldRow[] }>(
    `select h.attempts, f.*
       from kernel.fact_held h join kernel.fact f using (transaction, position)
      where h.pack = :pack and h."parkedAt" is null and (h.project, h.subject) in (
        select project, subject from kernel.fact_held
         where pack = :pack and "parkedAt" is null and "nextAt" <= now())
      order by h.transaction, h.position limit :limit`,
    { pack, limit }
  )
  return rows
}

export async function release(trx: Trx, pack: string, { transaction, position }: Place): Promise<void> {
  await trx.raw('delete from kernel.fact_held where pack = ? and transaction = ?::xid8 and position = ?', [
    pack,
    transaction,
    position
  ])
}

/** Makes what is the first of its subject by now due. */
export async function settle(trx: Trx, pack: string): Promise<void> {
  await trx.raw(
    `update kernel.fact_held h set "nextAt" = now() from (
       select distinct on (project, subject) transaction, position from kernel.fact_held
        where pack = :pack and "parkedAt" is null order by project, subject, transaction, position) first
      where h.pack = :pack and (h.transaction, h.position) = (first.transaction, first.position)
        and h."nextAt" is null`,
    { pack }
  )
}

/** Facts that were set aside, the latest first, at most 100. */
export async function findParked(knex: Knex, pack?: string, id?: string): Promise<readonly ParkedRow[]> {
  const { rows } = await knex.raw<{ rows: ParkedRow[] }>(
    `select h.pack, h.attempts, h.error, h."parkedAt", f.*
       from kernel.fact_held h join kernel.fact f using (transaction, position)
      where h."parkedAt" is not null
        and h.pack = coalesce(:pack, h.pack) and f.id = coalesce(:id, f.id)
      order by h."parkedAt" desc, h.transaction desc, h.position desc limit 100`,
    { pack: pack ?? null, id: id ?? null } as Record<string, Knex.Value>
  )
  return rows
}
