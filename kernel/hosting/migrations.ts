import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { LoadFault } from './fault.ts'
import { importFile } from './imports.ts'
import { isLeftOut } from './snapshot.ts'

/** A change of a pack's schema, and the way back. */
export interface Migration {
  /** `0001-verb-noun`. */
  readonly name: string
  up(knex: Knex): Promise<void>
  down(knex: Knex): Promise<void>
}

const shape = /^\d{4}(-[a-z0-9]+){2,}$/
const declaresDown = /^export\s+(async\s+)?(function|const)\s+down\b/m

/**
 * The migrations in `<folder>/<path>`, by name. Each is imported when it is first run; a LoadFault here for a
 * wrong name and for one without `down`.
 */
export async function readMigrations(folder: string, path = 'migrations'): Promise<readonly Migration[]> {
  const files = (await namesIn(join(folder, path))).filter((file) => file.endsWith('.ts') && !isLeftOut(file))
  return Promise.all(files.sort().map((file) => readMigration(folder, path, file)))
}

async function readMigration(folder: string, path: string, file: string): Promise<Migration> {
  const name = file.slice(0, -'.ts'.length)
  if (!shape.test(name))
    throw new LoadFault('manifest', `${path}/${file} must be named like 0001-verb-noun.ts`)
  const direction = async (way: 'up' | 'down') => {
    const found = (await importFile(folder, join(path, file)))[way]
    if (typeof found !== 'function')
      throw new LoadFault('manifest', `${path}/${file} exports no function ${way}`)
    return found as Migration['up']
  }
  // The text tells without running the file; where it does not, the file itself has to.
  if (!declaresDown.test(await readFile(join(folder, path, file), 'utf8'))) await direction('down')
  return {
    name,
    up: async (knex) => (await direction('up'))(knex),
    down: async (knex) => (await direction('down'))(knex)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
