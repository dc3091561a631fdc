import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../settings.ts'
import { createCaches } from './cache.ts'
import type { Connection } from './connect.ts'
import { openDatabase } from './connect.ts'
import { createPresence } from './presence.ts'
import { createTransaction } from './transaction.ts'
import { openMasterKeys } from './vault/secret-key.ts'
import { createVault } from './vault/vault.ts'

interface Options {
  readonly settings: Settings
  readonly connection: Connection
  readonly version: string
  readonly log: FastifyBaseLogger
}

/** Everything that keeps something, and this process's presence among those that do. */
export async function createData({ settings, connection, version, log }: Options) {
  const { PLATFORM_SECRET_KEY: value, DATA_DIR: dataDir, REDIS_URL: redisUrl, production } = settings
  const pooler = settings.DATABASE_POOL_URL
  const masterKeys = await openMasterKeys({ value, dataDir, production })
  const presence = createPresence({ connection, log, version })
  const database = openDatabase(
    connection,
    () => presence.connected,
    pooler === undefined ? undefined : { connectionString: pooler }
  )
  const { knex, hot } = database
  const caches = createCaches({ redisUrl, log })
  return {
    knex,
    hot,
    presence,
    vault: createVault({ knex, masterKeys, log }),
    cache: caches.cache,
    transaction: createTransaction(knex),
    load: database.load,
    isFull: database.isFull,
    cut: database.cut,
    async close(): Promise<void> {
      await presence.close()
      await Promise.all([caches.close(), database.close()])
    }
  }
}
export type Data = Awaited<ReturnType<typeof createData>>
