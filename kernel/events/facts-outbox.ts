import type { Knex } from 'knex'
import type { Fragment } from '../data/hot.ts'
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
export interface FactRow extends Place, Omit<Fact, 'usage'> {
  readonly usage: readonly Usage[] | null
}

export const toFact = (row: FactRow): Fact => ({
  id: row.id,
  name: row.name,
  project: row.project,
  owner: row.owner,
  actor: row.actor,
  subject: row.subject,
  data: row.data,
  ...(row.usage && { usage: row.usage }),
  at: row.at
})

/** An insert of one fact, by a principal. Throws a TypeError when the data has no JSON form. */
export function insertion(name: string, by: Principal, fact: FactDetails): Fragment {
  const { subject, owner, data, usage } = fact
  const json: string | undefined = JSON.stringify(data)
  if (json === undefined) throw new TypeError(`The data of a fact must have a JSON form: ${name}`)
  const used = usage ? JSON.stringify(usage) : null
  return {
    text: `insert into kernel.fact (id, name, project, owner, actor, subject, data, usage) values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb)`,
    values: [newId('fact'), name, by.project, owner, by.id, subject, json, used]
  }
}

/** So many in a transaction: one that is open for long would hold back delivery. */
const pruneBatch = 1_000

/** Removes facts older than 30 days which every known cursor passed and nobody holds; returns how many. */
export async function prune(knex: Knex): Promise<number> {
  for (let pruned = 0; ; ) {
    const { rowCount } = await knex.raw(
      `with young as (
         select transaction from kernel.fact where at >= now() - interval '30 days'
          order by transaction, position limit 1)
       delete from kernel.fact where (transaction, position) in (
         select f.transaction, f.position from kernel.fact f
          where f.transaction < coalesce((select transaction from young), pg_current_xact_id())
            and not exists (select from kernel.fact_cursor c
                             where (c.transaction, c.position) < (f.transaction, f.position))
            and not exists (select from kernel.fact_held h
                             where h.transaction = f.transaction and h.position = f.position)
          order by f.transaction, f.position limit ?)`,
      [pruneBatch]
    )
    pruned += rowCount
    if (rowCount < pruneBatch) return pruned
  }
}
