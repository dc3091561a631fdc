import type { Knex } from 'knex'
import type { Migrating } from '../../kernel/database/migrator.ts'
import { createMigrator } from '../../kernel/database/migrator.ts'
import { rollback } from '../rollback.ts'
import { dump } from './tables.ts'

/** What is wrong with a pack's migrations after up, down and up again; the pack is up then. */
export async function migrationFaults(knex: Knex, pack: Migrating): Promise<readonly string[]> {
  const migrator = createMigrator({ knex, log: { info() {}, warn() {} } })
  const up = async () => {
    const { failed } = await migrator.migrate([pack])
    for (const error of failed.values()) throw error
    return (await dump(knex)).filter(isOfPacks)
  }
  const before = (await dump(knex)).filter(isOfPacks)
  const first = await up()
  await rollback(knex, pack)
  const between = (await dump(knex)).filter(isOfPacks)
  const second = await up()
  return [
    ...(pack.migrations.length > 0 && first.length === before.length ? ['up makes nothing'] : []),
    ...differences(before, between).map((line) => `after down: ${line}`),
    ...differences(first, second).map((line) => `after the second up: ${line}`)
  ]
}

/** Everything but the migrator's own table, which comes with the first migration of all and stays. */
const isOfPacks = (line: string) => !/^schema kernel$|\bkernel\._?migration\b|\bmigration_pkey\b/.test(line)

function differences(expected: readonly string[], found: readonly string[]): readonly string[] {
  const [wanted, there] = [new Set(expected), new Set(found)]
  return [
    ...expected.filter((line) => !there.has(line)).map((line) => `missing ${line}`),
    ...found.filter((line) => !wanted.has(line)).map((line) => `left ${line}`)
  ]
}
