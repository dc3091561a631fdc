import { join } from 'node:path'
import type { Knex } from 'knex'
import { pino } from 'pino'
import type { Connection } from '../kernel/database/connect.ts'
import { isDatabaseAway, openDatabase } from '../kernel/database/connect.ts'
import { startEmbedded } from '../kernel/database/embedded/server.ts'
import { createMigrator, kernelMigrations } from '../kernel/database/migrator.ts'
import type { Settings } from '../kernel/settings.ts'
import { readSettings } from '../kernel/settings.ts'
import { lineOf } from './faults.ts'
import { during } from './output.ts'

/** A platform says nothing here: what went wrong reaches the operator as the command's own failure. */
export const silent = pino({ level: 'silent' })

/** The database of the deployment, as the environment names it. */
export interface OwnDatabase {
  readonly knex: Knex
  readonly connection: Connection
  readonly settings: Settings
}

/** Gives `work` the database as it is, started for it where no platform runs. */
export async function withDatabase<T>(work: (database: OwnDatabase) => Promise<T>): Promise<T> {
  const { settings, faults } = readSettings(process.env)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const { DATABASE_URL: connectionString, DATA_DIR } = settings
  const start = () => startEmbedded({ dataDir: join(DATA_DIR, 'postgres'), log: silent })
  const embedded = connectionString ? undefined : await during('Opening the database', start)
  const connection: Connection = embedded?.connection ?? { connectionString }
  const { knex, close } = openDatabase(connection)
  try {
    await knex.raw('select 1').catch((error) => {
      throw isDatabaseAway(error) ? new Error(`The database cannot be reached: ${lineOf(error)}`) : error
    })
    return await work({ knex, connection, settings })
  } finally {
    await close()
    await embedded?.leave()
  }
}

/** The same with the kernel's tables as this version has them. */
export const withTables = <T>(work: (database: OwnDatabase) => Promise<T>): Promise<T> =>
  withDatabase(async (database) => {
    const { failed } = await createMigrator({ knex: database.knex, log: silent }).migrate([
      await kernelMigrations()
    ])
    for (const error of failed.values()) throw error
    return work(database)
  })
