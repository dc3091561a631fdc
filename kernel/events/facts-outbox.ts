import type { Knex } from 'knex'
import type { Fragment } from '../data/hot.ts'
import type { Trx } from '../data/transaction.ts'
import { newId } from '../ids.ts'
import type { Principal } from '../ownership.ts'
import type { Fact, FactDetails, Usage } from './fact.ts'

/** Where a fact stands in the order of delivery. */
export interface Place {
  /** An xid8, too long for a number. */
  readonly transaction: string
  readonly position: string
}

/** A fact as it lies in its table. */
export interface FactRow extends Place {
  readonly id: string
  readonly name: string
  readonly project: string
  readonly owner: string
  readonly actor: string
  readonly subject: string
  readonly data: unknown
  readonly usage: readonly Usage[] | null
  readonly at: Date | string
}

/** The columns of `FactRow`, of a table called `f`. */
export const factColumns =
  'f.transaction::text, f.position::text, f.id, f.name, f.project, f.owner, f.actor, f.subject, f.data, f.usage, f.at'

export const toFact = (row: FactRow): Fact => ({
  id: row.id,
  name: row.name,
  project: row.project,
  owner: row.owner,
  actor: row.actor,
  subject: row.subject,
  data: row.data,
  ...(row.usage && { usage: row.usage }),
  at: new Date(row.at).toISOString()
})

/** An insert of one fact, by a principal. Throws a TypeError when the data has no JSON form. */
export function insertion(
  name: string,
  by: Principal,
  { subject, owner, data, usage }: FactDetails
): Fragment {
  const json: string | undefined = JSON.stringify(data)
  if (json === undefined) throw new TypeError(`The data of a fact must have a JSON form: ${name}`)
  return {
    text: `insert into kernel.fact (id, name, project, owner, actor, subject, data, usage) values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb)`,
    values: [
      newId('fact'),
      name,
      by.project,
      owner,
      by.id,
      subject,
      json,
      usage ? JSON.stringify(usage) : null
    ]
  }
}

/** Runs a fragment on its own. */
export async function run(trx: Trx, { text, values }: Fragment): Promise<void> {
  await trx.raw(text.replace(/\$\d+/g, '?'), values as Knex.Value[])
}

/** Any number, that two instances do not prune at the same time. */
const pruneLock = 7_310_586_412_377
const pruneBatch = 1_000

/** Removes facts older than so many days which every known cursor passed and nobody holds; returns how many. */
export async function prune(knex: Knex, days: number): Promise<number> {
  for (let pruned = 0; ; ) {
    const batch = await pruneSome(knex, days)
    pruned += batch
    if (batch < pruneBatch) return pruned
  }
}

const pruneSome = (knex: Knex, days: number): Promise<number> =>
  knex.transaction(async (trx) => {
    const { rows: locks } = await trx.raw('select pg_try_advisory_xact_lock(?) as free', [pruneLock])
    if (!locks[0].free) return 0
    const { rowCount } = await trx.raw(
      `with young as (
         select transaction from kernel.fact where at >= now() - ? * interval '1 day'
          order by transaction, position limit 1)
       delete from kernel.fact where (transaction, position) in (
         select f.transaction, f.position from kernel.fact f
          where f.transaction < coalesce((select transaction from young), pg_snapshot_xmin(pg_current_snapshot()))
            and f.transaction < pg_snapshot_xmin(pg_current_snapshot())
            and not exists (select from kernel.fact_cursor c
                             where (c.transaction, c.position) < (f.transaction, f.position))
            and not exists (select from kernel.fact_held h
                             where h.transaction = f.transaction and h.position = f.position)
          order by f.transaction, f.position limit ?)`,
      [days, pruneBatch]
    )
    return rowCount
  })
