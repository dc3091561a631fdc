import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Connection } from '../../../test/database.ts'
import { database } from '../../../test/database.ts'
import { openDatabase } from '../../data/connect.ts'
import type { Living } from '../../data/instance.ts'
import { parseDeployment, root } from '../../deployment.ts'
import { createMigrator, kernelMigrations } from '../../hosting/migrator.ts'
import { readSettings } from '../../settings.ts'
import { checksOf, lookAt } from './examine.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'

/** A patient without a database; what `differently` says is otherwise. */
export function patientOf(
  t: Test,
  env: Record<string, string> = {},
  differently: Partial<Patient> = {}
): Patient {
  // Not there yet.
  const DATA_DIR = join(tmpdir(), `agent-platform-doctor-${randomUUID()}`)
  t.teardown(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const { settings, faults } = readSettings({ DATA_DIR, PORT: '0', ...env })
  const deployment = parseDeployment({ folders: ['plugins'] }, root)
  return { settings, faults, deployment, database: 'new', living: [], ...differently }
}

/** One on a database of its own, with the kernel's tables. */
export async function patientOn(
  t: Test,
  connection?: Connection,
  env: Record<string, string> = {},
  differently: Partial<Patient> = {}
) {
  const opened = openDatabase(connection ?? (await database(t)).connection)
  t.teardown(() => opened.close())
  return { ...patientOf(t, env, { database: opened, ...differently }), knex: opened.knex }
}

export async function migrated<P extends Awaited<ReturnType<typeof patientOn>>>(patient: P): Promise<P> {
  const { failed } = await createMigrator({ knex: patient.knex, log: { info() {}, warn() {} } }).migrate([
    await kernelMigrations()
  ])
  for (const error of failed.values()) throw error
  return patient
}

/** What one check finds. */
export async function look(patient: Patient, name: string): Promise<Finding & { advice?: string }> {
  const check = checksOf(patient).find((it) => it.name === name)
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
