import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { LoadFault } from '../packs/faults.ts'
import { isLeftOut } from '../packs/loader/digest.ts'
import { importFile } from '../packs/loader/imports.ts'

/** A change of a pack's schema, and the way back. */
export interface Migration {
  /** `0001-verb-noun`. */
  readonly name: string
  /** Of its file, however the lines end. */
  readonly digest: string
  up(knex: Knex): Promise<void>
  down(knex: Knex): Promise<void>
}

const exportsDown = /\bexport\s+((async\s+)?function|const)\s+down\b|\bexport\s*\{[^}]*\bdown\b/
const shape = /^\d{4}(-[a-z0-9]+){2,}\.ts$/

/** The migrations of a pack, by name, each imported when it is first run; a LoadFault for a malformed one. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const place = join(folder, 'migrations')
  const files = existsSync(place) ? readdirSync(place) : []
  const names = files.filter((file) => file.endsWith('.ts') && !isLeftOut(file)).sort()
  return names.map((name) => readMigration(folder, join('migrations', name), name))
}

function readMigration(folder: string, path: string, file: string): Migration {
  if (!shape.test(file)) throw new LoadFault(`${path} must be named like 0001-verb-noun.ts`)
  const text = readFileSync(join(folder, path), 'utf8')
  if (!exportsDown.test(text)) throw new LoadFault(`${path} exports no function down`)
  const run = async (way: 'up' | 'down', knex: Knex) =>
    ((await importFile(folder, path))[way] as Migration['up'])(knex)
  return {
    name: file.slice(0, -'.ts'.length),
    digest: hash('sha256', text.replaceAll('\r\n', '\n')).slice(0, 16),
    up: (knex) => run('up', knex),
    down: (knex) => run('down', knex)
  }
}
