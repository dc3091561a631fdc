import { join } from 'node:path'
import { pino } from 'pino'
import type { Database } from '../data/connect.ts'
import { openDatabase } from '../data/connect.ts'
import { startEmbedded } from '../data/embedded/server.ts'
import { createMigrator, kernelMigrations } from '../hosting/migrator.ts'
import { readSettings } from '../settings.ts'

/**
 * Gives `work` the platform's database, with the kernel's schema up to date. An embedded server that nobody
 * runs is started for it, and stopped again unless a platform uses it by then.
 */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const { settings, faults } = readSettings(process.env)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const log = pino({ level: 'silent' })
  const { DATABASE_URL, DATA_DIR } = settings
  const embedded = DATABASE_URL
    ? undefined
    : await startEmbedded({ dataDir: join(DATA_DIR, 'postgres'), log })
  const database = openDatabase(embedded?.connection ?? { connectionString: DATABASE_URL })
  try {
    const { failed } = await createMigrator({ knex: database.knex, log }).migrate([await kernelMigrations()])
    for (const error of failed.values()) throw error
    await work(database)
  } finally {
    await database.close()
    await embedded?.leave()
  }
}
