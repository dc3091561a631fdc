import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../settings.ts'
import { createCaches } from './cache.ts'
import type { Connection } from './connect.ts'
import { openDatabase } from './connect.ts'
import { createPresence } from './presence.ts'
import type { Replica, ReplicaState } from './replica.ts'
import { createReplica } from './replica.ts'
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
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_LAG_SECONDS: mostSeconds } = settings
  const replica = url === undefined ? undefined : createReplica({ url, primary: knex, mostSeconds, log })
  const primaryAlone: Replica = { read: (work) => work(knex) }
  return {
    knex,
    hot,
    presence,
    replica: replica ? ({ read: replica.read } as Replica) : primaryAlone,
    /** Undefined where there is none. */
    replicaState: (): ReplicaState | undefined => replica?.state(),
    vault: createVault({ knex, masterKeys, log }),
    cache: caches.cache,
    transaction: createTransaction(knex),
    load: () => ({ ...database.load(), replica: replica?.state() }),
    isFull: database.isFull,
    cut: database.cut,
    async close(): Promise<void> {
      await presence.close()
      await Promise.all([caches.close(), replica?.close(), database.close()])
    }
  }
}
export type Data = Awaited<ReturnType<typeof createData>>
