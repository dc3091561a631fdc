import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import knexFactory from 'knex'
import pg from 'pg'
import { startEmbedded } from '../kernel/data/embedded/server.ts'

/** What `pg` and knex need to reach one database. */
export type Connection = Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'database' | 'password'>

interface Scope {
  teardown(work: () => unknown): unknown
}

let server: Promise<Connection> | undefined

/**
 * A database of its own for one test, and a knex on it; both go with the test. They lie on the embedded server,
 * one for all test processes, which the last one of them stops; or on the server at `TEST_DATABASE_URL`.
 */
export async function database(t: Scope): Promise<{ connection: Connection; knex: Knex }> {
  const given = process.env.TEST_DATABASE_URL
  server ??= given ? Promise.resolve(fromUrl(given)) : embedded()
  const admin = await server
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(admin, (client) => client.query(`create database ${name}`))
  const connection = { ...admin, database: name }
  const knex = knexFactory({ client: 'pg', connection, pool: { min: 0, max: 8 } })
  t.teardown(async () => {
    await knex.destroy()
    await onServer(admin, (client) => drop(client, name))
  })
  return { connection, knex }
}

function fromUrl(url: string): Connection {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username) || 'postgres',
    database: decodeURIComponent(pathname.slice(1)) || 'postgres',
    ...(password && { password: decodeURIComponent(password) })
  }
}

async function embedded(): Promise<Connection> {
  const uid = process.getuid?.() ?? 0
  const folder = path.join(os.tmpdir(), `agent-platform-test-${uid}`)
  mkdirSync(folder, { recursive: true })
  if (lstatSync(folder).uid !== uid) throw new Error(`${folder} belongs to someone else`)
  // Root's server runs as another user, who must get through.
  chmodSync(folder, 0o755)
  const log = { info() {}, warn: console.error, error: console.error }
  // Without fsync nothing is lost but when the machine goes down.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400' }
  const { connection, adopted, leave } = await startEmbedded({
    dataDir: path.join(folder, 'data'),
    log,
    settings
  })
  process.once('beforeExit', leave)
  if (!adopted) await onServer(connection, dropAbandoned)
  return connection
}

/** Drops what test processes that were killed left behind. */
async function dropAbandoned(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'test\\_%'`
  )
  for (const { name } of rows) {
    if (isRunning(Number(name.split('_')[1]))) continue
    await drop(client, name)
  }
}

/** Only a superuser may end autovacuum by force; without force the server asks it to stop. */
async function drop(client: pg.Client, name: string) {
  await client.query(`drop database if exists ${name} with (force)`).catch((error) => {
    if (error.code !== '42501') throw error
    return client.query(`drop database if exists ${name}`)
  })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function onServer(server: Connection, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client(server)
  await client.connect()
  await work(client).finally(() => client.end())
}
