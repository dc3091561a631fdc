import type { Knex } from 'knex'
import { openDatabase } from '../kernel/database/connect.ts'
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
  // Errors of its connections are known as those of a database.
  const { knex, close } = openDatabase({ ...connection, host: way.host, port: way.port })
  t.teardown(close)
  return { way, knex }
}
