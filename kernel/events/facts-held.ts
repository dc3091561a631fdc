import type { Knex } from 'knex'
import type { Trx } from '../database/transaction.ts'
import type { FactRow, Place } from './facts-outbox.ts'

/** A fact that failed, or waits behind one of its subject that did. */
export type HeldRow = FactRow & { readonly attempts: number }

type Subject = Pick<FactRow, 'project' | 'subject'>
export const keyOf = ({ project, subject }: Subject): string => `${project}\n${subject}`

function rowOf(pack: string, { transaction, position, project, subject }: FactRow) {
  return { pack, transaction, position, project, subject }
}

/** Subjects of the pack that are held back. */
export async function subjects(trx: Trx, pack: string): Promise<Set<string>> {
  const held = trx('kernel.fact_held').where({ pack }).whereNull('parkedAt')
  return new Set((await held.distinct('project', 'subject')).map(keyOf))
}

/** Puts facts behind the earlier ones of their subjects. */
export async function queue(trx: Trx, pack: string, facts: readonly FactRow[]): Promise<void> {
  if (facts.length === 0) return
  await trx('kernel.fact_held').insert(facts.map((fact) => rowOf(pack, fact)))
}

interface Failure {
  readonly attempts: number
  readonly error: string
  /** Milliseconds until the next attempt; null parks the fact. */
  readonly retryMs: number | null
}

/** Records that an attempt failed. */
export async function hold(trx: Trx, pack: string, fact: FactRow, failure: Failure): Promise<void> {
  const { retryMs, ...known } = failure
  await trx('kernel.fact_held')
    .insert({
      ...rowOf(pack, fact),
      ...known,
      nextAt: retryMs === null ? null : trx.raw(`clock_timestamp() + ? * interval '1 ms'`, [retryMs]),
      parkedAt: retryMs === null ? trx.fn.now() : null
    })
    .onConflict(['pack', 'transaction', 'position'])
    .merge()
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

export const release = (trx: Trx, pack: string, { transaction, position }: Place): Promise<number> =>
  trx('kernel.fact_held').where({ pack, transaction, position }).delete()

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

type DeadLetteredRow = HeldRow & {
  readonly pack: string
  readonly error: string
  readonly deadLetteredAt: string
}

/** Facts that were set aside, the latest first, at most 100. */
export const findDeadLettered = (
  knex: Knex,
  of: { pack?: string; id?: string }
): Promise<readonly DeadLetteredRow[]> =>
  knex('kernel.fact_held as h')
    .join('kernel.fact as f', { 'f.transaction': 'h.transaction', 'f.position': 'h.position' })
    .whereNotNull('parkedAt')
    .where(of)
    .orderBy(['parkedAt', 'h.transaction', 'h.position'].map((column) => ({ column, order: 'desc' })))
    .limit(100)
    .select('h.pack', 'h.attempts', 'h.error', 'h.parkedAt as deadLetteredAt', 'f.*')

/** Facts that packs could not handle yet. */
export interface Backlog {
  readonly pack: string
  /** Those to be tried again, and those behind them. */
  readonly waiting: number
  /** Those that were set aside, until an operator replays them. */
  readonly deadLettered: number
}

export async function countHeld(knex: Knex): Promise<Backlog[]> {
  const { rows } = await knex.raw<{ rows: Backlog[] }>(
    `select pack, (count(*) filter (where "parkedAt" is null))::int as waiting, count("parkedAt")::int as "deadLettered"
       from kernel.fact_held group by pack`
  )
  return rows
}
