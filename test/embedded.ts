import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { findServer } from '../kernel/database/embedded/postmaster.ts'
import type { Embedded, EmbeddedOptions } from '../kernel/database/embedded/server.ts'
import { startEmbedded } from '../kernel/database/embedded/server.ts'
import { quickFolder } from './shared-folder.ts'

interface Test {
  teardown(work: () => unknown): unknown
}

export const settings = { fsync: 'off' }
export const quiet: EmbeddedOptions['log'] = { info() {}, warn() {}, error() {} }

/** A folder that goes with the test; every user gets through unless `mode` says otherwise. */
export function folderFor(test: Test, mode = 0o755): string {
  const folder = mkdtempSync(path.join(quickFolder(), 'embedded-'))
  chmodSync(folder, mode)
  test.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A server that is left at the end of the test, if not before. */
export async function start(test: Test, dataDir: string, log = quiet): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log, settings })
  test.teardown(() => embedded.leave())
  return embedded
}

export async function query<T>({ connection }: Pick<Embedded, 'connection'>, text: string): Promise<T[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows as T[]
}

export const pidOf = (where: string): number => findServer(where)?.pid ?? 0
export const isUp = (where: string): boolean => findServer(where) !== undefined
