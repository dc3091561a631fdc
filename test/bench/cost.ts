import { readFile } from 'node:fs/promises'
import type { Knex } from 'knex'
import type { Served } from './platform.ts'

/** Microseconds of CPU that one thing took. */
export interface Cost {
  readonly server: number
  /** Of the connections' processes of PostgreSQL; NaN where there is none, or they are not on this machine. */
  readonly database: number
}

/** What `work` cost, which resolves with how many things it did. */
export async function costOf(
  to: Served & { readonly knex?: Knex },
  work: () => Promise<number>
): Promise<Cost> {
  const databaseBefore = await backends(to.knex)
  const serverBefore = await to.ask<number>('usage')
  const count = await work()
  const server = (await to.ask<number>('usage')) - serverBefore
  const databaseAfter = await backends(to.knex)
  let database = databaseAfter.size > 0 ? 0 : Number.NaN
  for (const [pid, used] of databaseAfter) database += used - (databaseBefore.get(pid) ?? 0)
  return { server: server / count, database: database / count }
}

/** Microseconds that each process of the database has used so far, by its id. */
async function backends(knex: Knex | undefined): Promise<ReadonlyMap<number, number>> {
  const used = new Map<number, number>()
  if (!knex) return used
  const { rows } = await knex.raw('select pid from pg_stat_activity where datname = current_database()')
  for (const { pid } of rows) {
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
    if (text !== undefined) used.set(pid, Number(text.split(' ')[0]) / 1_000)
  }
  return used
}
