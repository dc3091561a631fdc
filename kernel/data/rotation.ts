import type { Knex } from 'knex'
import type { Wrapped, Wrapping } from './wrapping.ts'

const BATCH = 100

/** What the master key wraps: the table, and how a row of it names its place. */
const tables = [
  { table: 'kernel.data_key', placeOf: ({ project, id }: Row) => placeOfDataKey(project, id) },
  { table: 'kernel.signing_key', placeOf: ({ id }: Row) => placeOfSigningKey(id) }
] as const

interface Row extends Wrapped {
  readonly id: string
  readonly project: string
}

export const placeOfDataKey = (project: string, id: string): readonly string[] => ['data_key', project, id]
export const placeOfSigningKey = (id: string): readonly string[] => ['signing_key', id]

/**
 * Wraps every stored key that another master key wraps anew, one row at a time; returns how many. Keys whose
 * master key is missing are left as they are, and named in an error after all others are done.
 */
export async function rewrap(knex: Knex, wrapping: Wrapping, masterKey: string): Promise<number> {
  let changed = 0
  const missing = new Set<string>()
  for (const { table, placeOf } of tables)
    for await (const row of rowsOf(knex, table, masterKey)) {
      const key = unwrapped(wrapping, placeOf(row), row)
      if (!key) missing.add(row.masterKey)
      else
        changed += await knex(table)
          .where({ id: row.id, masterKey: row.masterKey })
          .update(wrapping.wrap(placeOf(row), key))
    }
  if (missing.size)
    throw new Error(
      `Some stored keys cannot be opened: master keys ${[...missing].join(', ')} are missing or wrong`
    )
  return changed
}

async function* rowsOf(knex: Knex, table: string, masterKey: string): AsyncGenerator<Row> {
  let after = ''
  for (;;) {
    const rows: Row[] = await knex(table)
      .whereNot({ masterKey })
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

function unwrapped(wrapping: Wrapping, place: readonly string[], row: Wrapped): Buffer | undefined {
  try {
    return wrapping.unwrap(place, row)
  } catch {
    return undefined
  }
}
