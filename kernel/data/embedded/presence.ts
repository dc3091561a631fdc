import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A process' place at the server: as long as it is held, nobody else stops the server. */
export interface Presence {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly lost: Promise<void>
  /**
   * Gives the place up. `stop` is called when no other client is connected and nobody can take a place before
   * it is done. A client that was killed is waited for, at most about 2 s.
   */
  leave(stop: () => Promise<void>): Promise<void>
}

interface Refs {
  ref(): void
  unref(): void
}

const present = 'agent-platform'
const leaving = 'agent-platform leaving'
/** Shared by those who come, held by the one who looks whether he is the last. Any number that is always the same. */
const door = 6_180_339_887

/** Takes a place. Rejects with the driver's error while the server starts or stops. */
export async function takePlace(host: string, port: number): Promise<Presence> {
  const client = new pg.Client({
    host,
    port,
    user: 'postgres',
    database: 'postgres',
    application_name: present,
    connectionTimeoutMillis: 10_000
  }) as pg.Client & Refs
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

  async function leave(stop: () => Promise<void>) {
    client.ref()
    try {
      await client.query(`set application_name to '${leaving}'`)
      await client.query(`set lock_timeout to '5s'`)
      await client.query('select pg_advisory_lock($1)', [door])
      if (await isLast(client)) await stop()
    } catch {
      // Someone else stopped the server, or is about to: nothing is left to do.
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
