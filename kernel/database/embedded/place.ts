import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { addressOf, stopServer } from './postmaster.ts'

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/** A process' place at the server: as long as it is held, no other process stops the server. */
export interface Place {
  /** Resolves when the connection has ended, whichever side ended it. */
  readonly lost: Promise<void>
  /** Gives the place up, and stops the server if no other client is connected. */
  leave(): Promise<void>
}

const present = 'agent-platform'
const leaving = 'agent-platform leaving'
/** Shared by processes that come, held by the one that looks whether it is the last. Any number that is always the same. */
const door = 6_180_339_887

/** Rejects with the driver's error while the server starts or stops. */
export async function takePlace(where: string): Promise<Place> {
  const client = new pg.Client({
    ...addressOf(where),
    user: 'postgres',
    database: 'postgres',
    application_name: present,
    connectionTimeoutMillis: 10_000
  }) as pg.Client & { ref(): void; unref(): void }
  const lost = new Promise<void>((resolve) => client.once('end', resolve))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_advisory_xact_lock_shared($1)', [door])
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
  client.unref()

  async function leave() {
    client.ref()
    try {
      await client.query(`set application_name to '${leaving}'`)
      await client.query('select pg_advisory_lock($1)', [door])
      if (await isLast(client)) await stopServer(where)
    } catch {
      // Another process stopped the server, or is about to: nothing is left to do.
    }
    await client.end().catch(() => undefined)
  }
  return { lost, leave }
}

/**
 * A killed client is still listed until its session has noticed: at once when it is idle, else after
 * `client_connection_check_interval`. Where another process has a place, a tenth of a second tells.
 */
async function isLast(client: pg.Client): Promise<boolean> {
  for (const start = Date.now(); ; await sleep(20)) {
    const { rows } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> $1`,
      [leaving]
    )
    if (rows.length === 0) return true
    const patience = rows.some((row) => row.name === present) ? 100 : 2000
    if (Date.now() - start >= patience) return false
  }
}

/**
 * Holds a place and takes a new one by `start` whenever it is lost, until it is left. The end of the connection
 * tells, at once and without a timer, that the server was killed.
 */
export function keepPlace(
  where: string,
  log: Log,
  first: Place,
  start: () => Promise<Place>
): () => Promise<void> {
  let recovery = Promise.resolve()
  let left: Promise<void> | undefined
  let place = first
  hold(first)

  function hold(next: Place) {
    place = next
    place.lost.then(() => {
      if (!left) recovery = recover()
    })
  }

  async function recover() {
    log.warn({ where }, 'embedded PostgreSQL is gone: starting it again')
    while (!left) {
      try {
        hold(await start())
        return log.info({ where }, 'embedded PostgreSQL runs again')
      } catch (err) {
        log.error({ err, where }, 'embedded PostgreSQL does not start')
        await sleep(1000, undefined, { ref: false })
      }
    }
  }

  return () => {
    left ??= recovery.then(() => place.leave())
    return left
  }
}
