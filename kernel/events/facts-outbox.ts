import type { Knex } from 'knex'
import { newId } from '../contract/ids.ts'
import type { Fragment } from '../database/hot.ts'
import { textGiven } from '../database/hot.ts'
import type { Principal } from '../identity/ownership.ts'
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

/** A fact, and who did it. */
export interface Recorded extends FactDetails {
  readonly name: string
  readonly by: Principal
}

const noJson = (name: string) => new TypeError(`The data of a fact must have a JSON form: ${name}`)

const columns = 'id, name, project, owner, actor, subject, data, usage'

/** An insert of one fact. Throws a TypeError when the data has no JSON form. */
export const insertion = (name: string, by: Principal, fact: FactDetails): Fragment => ({
  text: `insert into kernel.fact (${columns}) values ${placeholders(0)}`,
  values: rowOf({ ...fact, name, by })
})

/** As one document: eight arrays cost twice as much to write and to read. */
const insertMany = textGiven(
  (given: string | undefined) => `insert into kernel.fact (${columns})
  select ${columns} from jsonb_to_recordset($1::jsonb)
    as c(id text, name text, project text, owner text, actor text, subject text, data jsonb, usage jsonb)${among(given)}`
)

/** One or two, such as come of a run: a document of one costs a quarter more. */
const insertFew = [1, 2].map((count) =>
  textGiven(
    (given: string | undefined) => `insert into kernel.fact (${columns})
  select ${columns} from (values ${Array.from({ length: count }, (_, row) => placeholders(row))}) c(${columns})${among(given)}`
  )
)

function among(given: string | undefined): string {
  return given === undefined ? '' : ` where exists (select from ${given} g where g.id = c.subject)`
}

function placeholders(row: number): string {
  const types = ['text', 'text', 'text', 'text', 'text', 'text', 'jsonb', 'jsonb']
  return `(${types.map((type, column) => `$${row * types.length + column + 1}::${type}`)})`
}

function rowOf({ name, by, subject, owner, data, usage }: Recorded): readonly unknown[] {
  const json: string | undefined = JSON.stringify(data)
  if (json === undefined) throw noJson(name)
  const used = usage ? JSON.stringify(usage) : null
  return [newId('fact'), name, by.project, owner, by.id, subject, json, used]
}

/** An insert of any number of facts; with `given` only of those whose subject is the `id` of a row there. */
export function insertions(facts: readonly Recorded[], given?: string): Fragment {
  const few = insertFew[facts.length - 1]
  if (few) return { text: few(given), values: facts.flatMap(rowOf) }
  const rows = facts.map(({ name, by: { project, id: actor }, data, ...fact }) => {
    if (JSON.stringify(data) === undefined) throw noJson(name)
    return { id: newId('fact'), name, project, actor, data, ...fact }
  })
  return { text: insertMany(given), values: [JSON.stringify(rows)] }
}

/** So many in a transaction: one that is open for long would hold back delivery. */
const pruneBatch = 1_000

/** Removes facts older than 30 days which every known cursor passed and no pack holds; returns how many. */
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
