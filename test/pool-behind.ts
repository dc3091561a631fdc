import type { Knex } from 'knex'
import knexFactory from 'knex'
import type { Connection } from './database.ts'
import { proxy } from './proxy.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A small pool on that database, and the way to it, which can be cut. */
export async function poolBehind(
  t: Scope,
  connection: Connection
): Promise<{ way: Awaited<ReturnType<typeof proxy>>; knex: Knex }> {
  const { host = '', port = 5432 } = connection
  const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const knex = knexFactory({
    client: 'pg',
    connection: { ...connection, host: way.host, port: way.port },
    pool: { min: 0, max: 4 },
    acquireConnectionTimeout: 500,
    log: { warn() {} }
  })
  t.teardown(() => knex.destroy())
  return { way, knex }
}
