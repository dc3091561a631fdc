import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openDatabase } from '../../kernel/database/connect.ts'
import type { Living } from '../../kernel/database/instance.ts'
import { createMigrator, kernelMigrations } from '../../kernel/database/migrator.ts'
import { parseDeployment, root } from '../../kernel/deployment.ts'
import { readSettings } from '../../kernel/settings.ts'
import type { Connection } from '../../test/database.ts'
import { database } from '../../test/database.ts'
import { checksOf, lookAt } from './examine.ts'
import type { Finding } from './finding.ts'
import type { Target } from './target.ts'

/** A target without a database; what `differently` says is otherwise. */
export function targetOf(
  t: Test,
  env: Record<string, string> = {},
  differently: Partial<Target> = {}
): Target {
  // Not there yet.
  const DATA_DIR = join(tmpdir(), `agent-platform-doctor-${randomUUID()}`)
  t.teardown(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const { settings, faults } = readSettings({ DATA_DIR, PORT: '0', ...env })
  const deployment = parseDeployment({ folders: ['plugins'] }, root)
  return { settings, faults, deployment, database: 'new', living: [], ...differently }
}

/** One on a database of its own, with the kernel's tables. */
export async function targetOn(
  t: Test,
  connection?: Connection,
  env: Record<string, string> = {},
  differently: Partial<Target> = {}
) {
  const opened = openDatabase(connection ?? (await database(t)).connection)
  t.teardown(() => opened.close())
  return { ...targetOf(t, env, { database: opened, ...differently }), knex: opened.knex }
}

export async function migrated<P extends Awaited<ReturnType<typeof targetOn>>>(target: P): Promise<P> {
  const { failed } = await createMigrator({ knex: target.knex, log: { info() {}, warn() {} } }).migrate([
    await kernelMigrations()
  ])
  for (const error of failed.values()) throw error
  return target
}

/** What one check finds. */
export async function look(target: Target, name: string): Promise<Finding & { advice?: string }> {
  const check = checksOf(target).find((it) => it.name === name)
  if (!check) throw new Error(`No check is called ${name}`)
  return lookAt(check)
}

export const living = (id: number, more: Partial<Living> = {}): Living => ({
  id,
  host: 'elsewhere',
  pid: 1,
  version: '0.1.0',
  url: null,
  draining: false,
  startedAt: new Date().toISOString(),
  ...more
})
