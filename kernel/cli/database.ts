import { join } from 'node:path'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { openDatabase } from '../data/connect.ts'
import { startEmbedded } from '../data/embedded/server.ts'
import { createMigrator, kernelMigrations } from '../hosting/migrator.ts'
import { readSettings } from '../settings.ts'

/** Gives `work` the database, started and migrated for it where no platform runs. */
export async function withDatabase(work: (knex: Knex) => Promise<void>): Promise<void> {
  const { settings, faults } = readSettings(process.env)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const { DATABASE_URL: connectionString, DATA_DIR } = settings
  const log = pino({ level: 'silent' })
  const embedded = connectionString
    ? undefined
    : await startEmbedded({ dataDir: join(DATA_DIR, 'postgres'), log })
  const { knex, close } = openDatabase(embedded?.connection ?? { connectionString })
  try {
    const { failed } = await createMigrator({ knex, log }).migrate([await kernelMigrations()])
    for (const error of failed.values()) throw error
    await work(knex)
  } finally {
    await close()
    await embedded?.leave()
  }
}
