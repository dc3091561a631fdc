import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import knexFactory from 'knex'
import pg from 'pg'
import { startEmbedded } from '../kernel/database/embedded/server.ts'
import { sharedFolder } from './shared-folder.ts'

/** What `pg` and knex need to reach one database. */
export type Connection = Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'database' | 'password'>

interface Scope {
  teardown(work: () => unknown): unknown
}

/** What a database holds from its beginning; made once, and then copied. */
export interface Template {
  /** Another one for other contents. */
  readonly digest: string
  fill(knex: Knex): Promise<void>
}

let server: Promise<Connection> | undefined

/**
 * A database of its own for one test, empty or a copy of a template, and a knex on it; both go with the test. They
 * lie on the embedded server, one for all test processes, which the last one of them stops; or on the server at
 * `TEST_DATABASE_URL`.
 */
export async function database(
  t: Scope,
  template?: Template
): Promise<{ connection: Connection; knex: Knex }> {
  const given = process.env.TEST_DATABASE_URL
  server ??= given ? Promise.resolve(fromUrl(given)) : embedded()
  const admin = await server
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(admin, (client) =>
    template ? createFrom(client, admin, template, name) : client.query(`create database ${name} ${COPIED}`)
  )
  const connection = { ...admin, database: name }
  const knex = knexFactory({ client: 'pg', connection, pool: { min: 0, max: 8 } })
  t.teardown(async () => {
    await knex.destroy()
    await onServer(admin, (client) => drop(client, name))
  })
  return { connection, knex }
}

/** Copied by files, a database is not written to the log of the server a second time. */
const COPIED = 'strategy file_copy'
const templates = new Map<string, Promise<string>>()

/** A database with what the template holds. */
async function createFrom(client: pg.Client, admin: Connection, template: Template, name: string) {
  for (let attempt = 1; ; attempt++)
    try {
      const source = await templateOf(admin, template)
      await client.query(`create database ${name} template ${source} ${COPIED}`)
      return
    } catch (error) {
      // Another process found it to be one too many, and dropped it.
      if ((error as { code?: string }).code !== '3D000' || attempt === 3) throw error
      templates.delete(template.digest)
    }
}

/** The name of the database that the template is, made by the first process that needs it. */
function templateOf(admin: Connection, { digest, fill }: Template): Promise<string> {
  const known = templates.get(digest)
  if (known) return known
  const name = `template_${digest}`
  const made = onServer(admin, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('tests.template', 0))`)
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname like 'template\\_%' order by oid desc`
    )
    if (rows.some((row) => row.name === name)) return
    for (const { name: old } of rows.slice(KEPT - 1))
      await client.query(`drop database ${old}`).catch(unlessInUse)
    // It is given its name when it is whole: what a killed process left of it is made anew.
    const draft = `${name}_draft`
    await drop(client, draft)
    await client.query(`create database ${draft}`)
    const connection = { ...admin, database: draft }
    const knex = knexFactory({ client: 'pg', connection, pool: { min: 0, max: 2 } })
    await fill(knex).finally(() => knex.destroy())
    await client.query(`alter database ${draft} rename to ${name}`)
  }).then(() => name)
  templates.set(digest, made)
  return made
}
/** One for each choice of packs that tests make, for some versions of their migrations. */
const KEPT = 100
const unlessInUse = (error: { code?: string }) => {
  if (error.code !== '55006') throw error
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
  const log = { info() {}, warn: console.error, error: console.error }
  // Without fsync nothing is lost but when the machine goes down. Of autovacuum there would be no end, with a hundred
  // databases that live for seconds.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '256MB',
    max_connections: '400',
    autovacuum: 'off'
  }
  const dataDir = sharedFolder('data')
  const { connection, adopted, leave } = await startEmbedded({ dataDir, log, settings })
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
