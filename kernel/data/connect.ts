import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import knexFactory from 'knex'
import pg from 'pg'
import type { Hot } from './hot.ts'
import { createHot } from './hot.ts'

/** What `pg` and knex need to reach one database. */
export type Connection = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'database' | 'password' | 'connectionString' | 'ssl'
>

export interface Database {
  readonly knex: Knex
  readonly hot: Hot
  /** Destroys every connection, so that what waits for a database that is gone fails now. */
  cut(): void
  /** Connections in use, and callers that wait for one. */
  load(): { used: number; free: number; waiting: number }
  close(): Promise<void>
}

/** No plan may scan a table: generic plans made while tables are empty would, for as long as they live. */
const HOT_OPTIONS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'
const WAIT_MS = 1_500
const MAX = 12
const HOT_MAX = 4
/** What one process may have open: both pools, its presence, and its place at an embedded server. */
export const CONNECTIONS = MAX + HOT_MAX + 2

/** The server sees within a second, also in the middle of a statement, that this process was killed. */
const NOTICE_DEATH = `select set_config('client_connection_check_interval',
  case when version() ~ 'linux' then '1s' else '0' end, false)`

/** Times leave the database as the API shows them: ISO 8601 in UTC. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
      ? (text: string) => new Date(text).toISOString()
      : pg.types.getTypeParser(id, format as 'text')
} as pg.CustomTypesConfig

/** Two pools on one database: the general one, and the few connections of the hot path. */
export function openDatabase(connection: Connection): Database {
  const open = new Set<Socket>()
  const pool = (options: object, size: number) =>
    knexFactory({
      client: 'pg',
      connection: {
        ...connection,
        types,
        connectionTimeoutMillis: WAIT_MS,
        keepAlive: true,
        ...options
      } as never,
      acquireConnectionTimeout: WAIT_MS,
      // A message with its values filled in would carry secrets into the log.
      compileSqlOnError: false,
      // What it would print reaches whoever asked as an error.
      log: { warn() {}, error() {}, deprecate() {}, debug() {} },
      pool: {
        min: 0,
        max: size,
        afterCreate(client: pg.Client & { connection: { stream: Socket } }, done: (error?: Error) => void) {
          const { stream } = client.connection
          open.add(stream)
          stream.once('close', () => open.delete(stream))
          client.query(NOTICE_DEATH).then(() => done(), done)
        }
      }
    })
  const knex = pool({}, MAX)
  const hotKnex = pool({ options: HOT_OPTIONS }, HOT_MAX)
  return {
    knex,
    hot: createHot(hotKnex),
    cut() {
      for (const stream of open) stream.destroy(new Error('Connection terminated: the database is away'))
    },
    load() {
      const { pool } = knex.client
      return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() }
    },
    close: async () => {
      await Promise.all([knex.destroy(), hotKnex.destroy()])
    }
  }
}

const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections */
const STATES = new Set(['57P01', '57P02', '57P03', '53300'])
const WORDS =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|acquiring a connection|not queryable|the database system is/i

/** Whether an error says that the database cannot be reached now, rather than that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = String((error as { code?: unknown }).code ?? '')
  return AWAY.has(code) || STATES.has(code) || code.startsWith('08') || WORDS.test(error.message)
}
