import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import type { Fact } from './fact.ts'
import type { FactRow, Place } from './facts-outbox.ts'
import { factColumns, toFact } from './facts-outbox.ts'

/** A fact that a pack could not handle, and that no longer holds back its subject. */
export interface Parked {
  readonly pack: string
  readonly fact: Fact
  readonly attempts: number
  /** What the last attempt failed with, at most 500 characters. */
  readonly error: string
  /** ISO 8601. */
  readonly parkedAt: string
}

export type HeldRow = FactRow & { readonly attempts: number }

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
  /** Milliseconds until the next attempt; undefined parks the fact. */
  readonly retryMs: number | undefined
}

/** Records that an attempt failed. */
export async function hold(trx: Trx, pack: string, fact: FactRow, failure: Failure): Promise<void> {
  await trx.raw(
    `insert into kernel.fact_held
       (pack, transaction, position, project, subject, attempts, error, "nextAt", "parkedAt")
     values (:pack, cast(:transaction as xid8), :position, :project, :subject, :attempts, :error,
       clock_timestamp() + cast(:retryMs as float) * interval '1 ms', case when cast(:retryMs as float) is null then now() end)
     on conflict (pack, transaction, position) do update
       set attempts = excluded.attempts, error = excluded.error, "nextAt" = excluded."nextAt",
           "parkedAt" = excluded."parkedAt"`,
    {
      pack,
      transaction: fact.transaction,
      position: fact.position,
      project: fact.project,
      subject: fact.subject,
      attempts: failure.attempts,
      error: failure.error,
      retryMs: failure.retryMs ?? null
    } as Record<string, Knex.Value>
  )
}

/** Held facts of those subjects whose first one is due, in order. */
export async function due(trx: Trx, pack: string, limit: number): Promise<readonly HeldRow[]> {
  const { rows } = await trx.raw<{ rows: HeldRow[] }>(
    `select h.attempts, ${factColumns}
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

/** After any change: makes what is first of its subject now due, and says on the cursor whether any is left. */
export async function settle(trx: Trx, pack: string): Promise<void> {
  await trx.raw(
    `update kernel.fact_held h set "nextAt" = now() from (
       select distinct on (project, subject) transaction, position from kernel.fact_held
        where pack = :pack and "parkedAt" is null order by project, subject, transaction, position) first
      where h.pack = :pack and (h.transaction, h.position) = (first.transaction, first.position)
        and h."nextAt" is null`,
    { pack }
  )
  await trx.raw(
    `update kernel.fact_cursor set holding = exists (
       select from kernel.fact_held where pack = :pack and "parkedAt" is null) where pack = :pack`,
    { pack }
  )
}

/** Facts that were set aside, the latest first, at most 100. */
export async function parked(knex: Knex, pack: string | undefined): Promise<Parked[]> {
  type Row = HeldRow & { pack: string; error: string; parkedAt: Date | string }
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select h.pack, h.attempts, h.error, h."parkedAt", ${factColumns}
       from kernel.fact_held h join kernel.fact f using (transaction, position)
      where h."parkedAt" is not null and (cast(:pack as text) is null or h.pack = :pack)
      order by h."parkedAt" desc, h.transaction desc, h.position desc limit 100`,
    { pack: pack ?? null } as Record<string, Knex.Value>
  )
  return rows.map(({ pack, attempts, error, parkedAt, ...fact }) => ({
    pack,
    fact: toFact(fact),
    attempts,
    error,
    parkedAt: new Date(parkedAt).toISOString()
  }))
}

/** The parked fact with that id. */
export async function findParked(trx: Trx, pack: string, id: string): Promise<HeldRow | undefined> {
  const { rows } = await trx.raw<{ rows: HeldRow[] }>(
    `select h.attempts, ${factColumns}
       from kernel.fact_held h join kernel.fact f using (transaction, position)
      where h.pack = ? and h."parkedAt" is not null and f.id = ?`,
    [pack, id]
  )
  return rows[0]
}

/** The message of what a handler threw, without the statement that knex puts before the database's words. */
export function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const ofDatabase = thrown instanceof Error && 'severity' in thrown
  return (ofDatabase ? message.slice(message.lastIndexOf(' - ') + 1) : message)
    .replace(/^- /, '')
    .slice(0, 500)
}
