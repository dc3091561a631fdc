import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migrating } from '../kernel/database/migrator.ts'
import { createMigrator, kernelMigrations } from '../kernel/database/migrator.ts'
import { readMigrations } from '../kernel/database/read-migrations.ts'
import { root } from '../kernel/deployment.ts'
import type { Template } from './database.ts'

const plugins = join(root, 'plugins')
const kernel = join(root, 'kernel', 'database')
const log = { info() {}, warn() {} }
const digests = new Map<string, string>()

/** A database in which the kernel and those of our own packs have migrated, as a platform with them does first. */
export function migrated(packs: readonly string[] = readdirSync(plugins)): Template {
  const ours = packs.filter((name) => existsSync(join(plugins, name, 'migrations'))).sort()
  const hash = createHash('sha256')
  for (const folder of [kernel, ...ours.map((name) => join(plugins, name))])
    for (const name of readdirSync(join(folder, 'migrations')).sort())
      hash.update(digestOf(join(folder, 'migrations', name)))
  return {
    digest: hash
      .update(digestOf(join(kernel, 'migrator.ts')))
      .digest('hex')
      .slice(0, 16),
    async fill(knex) {
      const all: Migrating[] = [await kernelMigrations()]
      for (const name of ours) all.push({ name, migrations: await readMigrations(join(plugins, name)) })
      const { failed } = await createMigrator({ knex, log }).migrate(all)
      for (const error of failed.values()) throw error
    }
  }
}

/** Of a file's path within the checkout and its content. */
function digestOf(file: string): string {
  const known = digests.get(file)
  if (known) return known
  const hash = createHash('sha256')
    .update(`${file.slice(root.length)}\0`)
    .update(readFileSync(file))
  const digest = hash.digest('hex')
  digests.set(file, digest)
  return digest
}
