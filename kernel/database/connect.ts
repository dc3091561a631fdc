import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import knexFactory from 'knex'
import pg from 'pg'
import { unavailable } from '../contract/errors.ts'
import type { Hot } from './hot.ts'
import { createHot } from './hot.ts'

/** What `pg` and knex need to reach one database. */
export type Connection = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'database' | 'password' | 'connectionString' | 'ssl' | 'options'
>

export interface Database {
  readonly knex: Knex
  readonly hot: Hot
  /** Destroys every connection, so that what waits for a database that is gone fails now. */
  cut(): void
  /** Connections in use, and callers that wait for one. */
  load(): { used: number; free: number; waiting: number }
  /** Its disk was full a moment ago. */
  isFull(): boolean
  close(): Promise<void>
}

/** No plan may scan a table: generic plans made while tables are empty would, for as long as they live. */
const HOT_OPTIONS =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'
/**
 * As the server lists the connections of platforms. A transaction of others records no facts: nothing that reads them
 * waits for it.
 */
const NAME = 'agent-platform work'
const WAIT_MS = 1_500
/** So long a connection is tried to be opened while the database is known to answer. */
const OPENING_MS = 2 * WAIT_MS
/** disk_full; believed for so long. */
const DISK_FULL = '53100'
const FULL_MS = 5_000
/**
 * Time without a statement after which the server ends a transaction, in milliseconds: the process that opened it is frozen or
 * cut off, and the other instances wait for its locks. A process that works shows so in each transaction that is open.
 */
const IDLE_MS = 10_000
/** Milliseconds in which a client has to receive what the server sends, also inside a statement. */
const UNREAD_MS = 20_000
const MAX = 12
const HOT_MAX = 4
/** What one process may have open: both pools, its presence, and its place at an embedded server. */
export const CONNECTIONS = MAX + HOT_MAX + 2

type Client = pg.Client & { readonly readyForQuery: boolean; connection: EventEmitter & { stream: Socket } }

/**
 * The server sees within a second, also in the middle of a statement, that this process was killed, and after a while that it is
 * frozen; and it says whether it has Citus.
 */
const openText = (idleMs: number) => `select set_config('client_connection_check_interval',
  case when version() ~ 'linux' then '1s' else '0' end, false),
  set_config('idle_in_transaction_session_timeout', '${idleMs}', false), set_config('tcp_user_timeout', '${UNREAD_MS}', false),
  to_regproc('create_distributed_table') is not null as "isCitus"`

/** Times leave the database as the API shows them: ISO 8601 in UTC. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
      ? (text: string) => new Date(text).toISOString()
      : pg.types.getTypeParser(id, format as 'text')
} as pg.CustomTypesConfig

/**
 * Two pools on one database: the general one, and the few connections of the hot path. Where no connection can be had in
 * time although `isThere` knows that the database answers, the failure says that the platform is busy. The general one may
 * go by a pooler that gives a connection for a transaction: nothing in it is of a session. `idleMs`: milliseconds without a
 * statement after which the server ends a transaction of a process that is frozen.
 */
export function openDatabase(
  connection: Connection,
  isThere: () => boolean = () => false,
  pooler?: Connection,
  idleMs = IDLE_MS
): Database {
  const open = new Set<Client>()
  let fullAt = Number.NEGATIVE_INFINITY
  let isCitus = false
  const noted = ({ code }: { code?: string }) => {
    if (code === DISK_FULL) fullAt = performance.now()
  }
  const pool = (to: Connection, options: object, size: number) => {
    const knex = knexFactory({
      client: 'pg',
      connection: {
        ...to,
        application_name: NAME,
        types,
        connectionTimeoutMillis: WAIT_MS,
        keepAlive: true,
        ...options
      } as never,
      acquireConnectionTimeout: WAIT_MS,
      // A message with its values filled in would carry secrets into the log.
      compileSqlOnError: false,
      // What it would print reaches the caller as an error.
      log: { warn() {}, error() {}, deprecate() {}, debug() {} },
      pool: {
        min: 0,
        max: size,
        afterCreate(client: Client, done: (error?: Error) => void) {
          const { stream } = client.connection
          client.connection.on('errorMessage', noted)
          stream.on('error', (error) => ofDatabase.add(error))
          open.add(client)
          stream.once('close', () => open.delete(client))
          // Through a pooler it would be set for others, and it sees that death itself.
          if (to === pooler) {
            adapt(client, idleMs)
            done()
          } else
            client.query<{ isCitus: boolean }>(openText(idleMs)).then(({ rows: [row] }) => {
              isCitus = row?.isCitus === true
              done()
            }, done)
        }
      }
    })
    const acquire: () => Promise<unknown> = knex.client.acquireConnection.bind(knex.client)
    const areAllOpen = () => knex.client.pool.numUsed() + knex.client.pool.numFree() >= size
    knex.client.acquireConnection = async () => {
      const until = performance.now() + OPENING_MS
      for (;;)
        try {
          return await acquire()
        } catch (error) {
          const isBusy = isThere() && isCrowded(error as Error)
          // After a lull all of them are opened anew, and a machine that is busy is slow at that.
          const isOpening = isBusy && !areAllOpen() && (error as { code?: string }).code !== TOO_MANY
          if (isOpening && performance.now() < until) continue
          if (isBusy) throw busy(error)
          ofDatabase.add(error as Error)
          throw error
        }
    }
    return knex
  }
  const knex = pool(pooler ?? connection, {}, MAX)
  const hotKnex = pool(connection, { options: HOT_OPTIONS }, HOT_MAX)
  const showing = setInterval(() => {
    for (const client of open) if (isWaiting(client)) client.query('select 1').catch(() => undefined)
  }, idleMs / 3).unref()
  return {
    knex,
    hot: createHot(hotKnex, () => isCitus),
    cut() {
      for (const { connection } of open)
        connection.stream.destroy(new Error('Connection terminated: the database is away'))
    },
    load() {
      const { pool } = knex.client
      return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() }
    },
    isFull: () => performance.now() - fullAt < FULL_MS,
    close: async () => {
      clearInterval(showing)
      await Promise.all([knex.destroy(), hotKnex.destroy()])
    }
  }
}

/** In a transaction, and without a statement under way. */
const isWaiting = (client: Client): boolean =>
  client.readyForQuery && /[TE]/.test(client.getTransactionStatus() ?? '')

/**
 * Makes a client fit for a pooler: for the next transaction it has another connection of the server. It prepares nothing under a
 * name, and each transaction sets its own limit.
 */
function adapt(client: Client, idleMs: number): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const asked = (given: unknown, ...more: unknown[]) => {
    if (given instanceof pg.Query) Object.assign(given, { name: undefined })
    else if (typeof given === 'object' && given !== null) {
      const { name: _, ...unnamed } = given as { name?: string; text?: string }
      if (/^begin\b[^;]*;$/i.test(unnamed.text ?? ''))
        unnamed.text += ` set local idle_in_transaction_session_timeout = ${idleMs}`
      return query(unnamed, ...more)
    }
    return query(given, ...more)
  }
  client.query = asked as Client['query']
}

/** What connections to the database failed with: of files, pipes and other servers the system says the same. */
const ofDatabase = new WeakSet<Error>()
const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
/** too_many_connections */
const TOO_MANY = '53300'
/** admin_shutdown, crash_shutdown, cannot_connect_now, idle_in_transaction_session_timeout */
const STATES = new Set(['57P01', '57P02', '57P03', '25P03', TOO_MANY])
/** Of a failure: no connection was to be had, though the database answers. */
const BUSY = 'busy'
const WORDS =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|acquiring a connection|not queryable|the database system is/i

/** No connection was free in time, or none could be opened in time. */
const isCrowded = ({ code, message }: Error & { code?: string }): boolean =>
  code === TOO_MANY || /timeout/i.test(message)
const busy = (cause: unknown) =>
  unavailable('The platform is busy; try again in a moment', {
    code: BUSY,
    headers: { 'retry-after': '1' },
    cause
  })

/**
 * Whether an error says that the database cannot be reached now, or has no connection to spare, rather than that a
 * statement was wrong: the same may succeed in a moment.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = String((error as { code?: unknown }).code ?? '')
  if (AWAY.has(code) && ofDatabase.has(error)) return true
  return code === BUSY || STATES.has(code) || code.startsWith('08') || WORDS.test(error.message)
}
