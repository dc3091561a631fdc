import { randomUUID } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { Socket } from 'node:net'
import { conflict } from 'agent-platform'
import type { Knex } from 'knex'
import knexFactory from 'knex'
import type { Address } from './address.ts'
import type { DataStore } from './data-store.ts'
import { createRelational } from './relational.ts'

/** What adapters to databases outside are given. */
export interface Opening {
  readonly address: Address
  /** Throws, or fails, for a host that may not be connected to. */
  lookup(host: string, port: number): LookupFunction
  readonly statementMs: number
  readonly connectMs: number
  /** At a time, of this process. */
  readonly connections: number
  /** Where tables lie in PostgreSQL. */
  readonly schema: string
}
export interface Opened {
  readonly store: DataStore
  close(): Promise<void>
}

const OLDEST = 120_000

/** Another PostgreSQL: connects, and makes what tables it lacks. */
export async function openPostgresql(opening: Opening): Promise<Opened> {
  const { address, statementMs, connectMs, schema } = opening
  const [{ host, port }] = address.hosts as [Address['hosts'][number]]
  // What may not be connected to by its spelling is told at once.
  opening.lookup(host, port)
  const knex = knexFactory({
    client: 'pg',
    connection: {
      host,
      port,
      database: address.database,
      user: address.user,
      // A function, so that no password of this process is taken where the address has none.
      password: () => address.password ?? '',
      ssl: address.tls === 'off' ? false : tlsOf(address),
      stream: () => guardedSocket(opening.lookup(host, port)),
      application_name: 'agent-platform',
      connectionTimeoutMillis: connectMs,
      statement_timeout: 2 * statementMs,
      query_timeout: 3 * statementMs,
      lock_timeout: statementMs,
      idle_in_transaction_session_timeout: 3 * statementMs,
      keepAlive: true
    } as Knex.PgConnectionConfig,
    acquireConnectionTimeout: 2 * connectMs,
    compileSqlOnError: false,
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    pool: { min: 0, max: opening.connections, idleTimeoutMillis: 30_000, propagateCreateError: true } as never
  })
  const close = () => knex.destroy()
  try {
    const identity = await prepare(knex, schema)
    return { store: createRelational({ knex, schema, identity, statementMs }), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The driver makes a connection of a socket that it gets; it gets one that looks at addresses. */
function guardedSocket(lookup: LookupFunction): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  return Object.assign(socket, {
    connect: (port: number, host: string) => connect({ port, host, lookup })
  })
}

const tlsOf = ({ tls, ca }: Address) => ({
  rejectUnauthorized: tls === 'verified',
  ...(ca !== undefined && { ca })
})

/** Makes tables where there are none, and gives what the database is known by. */
async function prepare(knex: Knex, schema: string): Promise<string> {
  const { rows } = await knex.raw(`select current_setting('server_version_num')::integer as version`)
  if (rows[0].version < OLDEST)
    throw conflict('PostgreSQL has to be of version 12 or later', { code: 'store_too_old' })
  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`app-storage/${schema}`])
    const { rows } = await trx.raw('select to_regclass(?) is not null as there', [`"${schema}".identity`])
    if (!rows[0].there) await trx.raw(tablesOf(`"${schema}"`))
    const [{ id }] = await trx('identity').withSchema(schema).select('id')
    return id
  })
}

/** As the platform's own, and what the database is known by, however it is reached. */
const tablesOf = (schema: string) => `
  create schema if not exists ${schema};
  create table ${schema}.item (
    project text collate "C" not null,
    "appId" text collate "C" not null,
    collection text collate "C" not null,
    holder text collate "C" not null,
    key text collate "C" not null,
    value jsonb not null,
    version integer not null,
    bytes integer not null,
    digest text not null,
    "createdAt" timestamptz not null,
    "updatedAt" timestamptz not null,
    primary key (project, "appId", collection, holder, key)
  );
  create table ${schema}.usage (
    project text collate "C" not null,
    "appId" text collate "C" not null,
    bytes bigint not null,
    rows integer not null,
    state text not null,
    token text,
    primary key (project, "appId")
  );
  create table ${schema}.identity (id text primary key);
  insert into ${schema}.identity values ('${randomUUID()}')`
