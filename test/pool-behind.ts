import type { Knex } from 'knex'
import { openDatabase } from '../kernel/database/connect.ts'
import type { Connection } from './database.ts'
import type { proxy } from './proxy.ts'
import { proxyOf } from './proxy.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A small pool on that database, and the way to it, which can be cut. */
export async function poolBehind(
  t: Scope,
  connection: Connection,
  isThere?: () => boolean
): Promise<{ way: Awaited<ReturnType<typeof proxy>>; knex: Knex }> {
  const { way, connection: behind } = await proxyOf(t, connection)
  // Errors of its connections are known as those of a database.
  const { knex, close } = openDatabase(behind, isThere)
  t.teardown(close)
  return { way, knex }
}
