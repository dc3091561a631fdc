import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Knex } from 'knex'
import type { Database } from '../../kernel/database/connect.ts'
import { isDatabaseAway, openDatabase } from '../../kernel/database/connect.ts'
import { within } from '../../kernel/database/deadline.ts'
import { startEmbedded } from '../../kernel/database/embedded/server.ts'
import type { Living } from '../../kernel/database/instance.ts'
import { listLiving } from '../../kernel/database/instance.ts'
import type { Deployment } from '../../kernel/deployment.ts'
import { readDeployment } from '../../kernel/deployment.ts'
import type { Settings } from '../../kernel/settings.ts'
import { readSettings } from '../../kernel/settings.ts'
import { silent } from '../database.ts'
import { during } from '../output.ts'
import type { Check, Finding } from './finding.ts'
import { ok, warning } from './finding.ts'

/** A platform as it lies before us: nothing of it is made or changed. */
export interface Target {
  readonly settings: Settings
  /** What is wrong with the settings, a line each. */
  readonly faults: readonly string[]
  readonly deployment: Deployment | Error
  /** `new`: it is made at the first start. */
  readonly database: Database | Error | 'new'
  /** The instances that run on it. */
  readonly living: readonly Living[]
}

/** The embedded server recovers after a crash before it answers. */
const START_MS = 60_000
const CLOSE_MS = 5_000
const ATTEMPTS = 3

/** Opens what there is, for as long as `work` takes. */
export async function withTarget<T>(
  env: NodeJS.ProcessEnv,
  work: (target: Target) => Promise<T>
): Promise<T> {
  const { settings, faults } = readSettings(env)
  const given = { settings, faults, deployment: deploymentOf(settings) }
  const opened = await open(settings, env).catch((error) => error as Error)
  if (opened === 'new' || opened instanceof Error) return work({ ...given, database: opened, living: [] })
  const { database, leave } = opened
  try {
    const living = await listLiving(database.knex).catch(() => [])
    return await work({ ...given, database, living })
  } finally {
    await within(CLOSE_MS, database.close()).catch(database.cut)
    await leave()
  }
}

function deploymentOf({ DEPLOYMENT }: Settings): Deployment | Error {
  try {
    return readDeployment(DEPLOYMENT)
  } catch (error) {
    return error as Error
  }
}

async function open({ DATABASE_URL, DATA_DIR }: Settings, env: NodeJS.ProcessEnv) {
  if (DATABASE_URL) {
    const database = openDatabase({ connectionString: DATABASE_URL })
    return reached(database, async () => undefined)
  }
  if (env.DATABASE_URL) throw new Error('DATABASE_URL is no address of a PostgreSQL server')
  const dataDir = join(DATA_DIR, 'postgres')
  if (!existsSync(join(dataDir, 'PG_VERSION'))) return 'new'
  const start = () => within(START_MS, startEmbedded({ dataDir, log: silent }))
  const { connection, leave } = await during('Opening the database', start)
  return reached(openDatabase(connection), leave)
}

/** One that is busy may answer late. */
async function reached(database: Database, leave: () => Promise<void>) {
  for (let attempt = 1; ; attempt++) {
    try {
      await database.knex.raw('select 1')
      return { database, leave }
    } catch (error) {
      if (attempt < ATTEMPTS && isDatabaseAway(error)) continue
      await within(CLOSE_MS, database.close()).catch(database.cut)
      await leave()
      throw error
    }
  }
}

/** A check of the database, which says why where there is none to look at. */
export const onDatabase = (
  { database }: Target,
  name: string,
  look: (knex: Knex, database: Database) => Promise<Finding>
): Check => ({
  name,
  look() {
    if (database === 'new') return ok('made at the first start')
    if (database instanceof Error) return warning('not checked: the database does not answer', 'see database')
    return look(database.knex, database)
  }
})
