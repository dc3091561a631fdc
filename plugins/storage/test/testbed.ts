import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kernel, Trx } from 'agent-platform'
import type { Booted } from '../../../test/boot.ts'
import type { Objects } from '../contract.ts'
import type { Driver } from '../drivers/driver.ts'
import { createObjectService } from '../services/objects.ts'
import { createSweeps } from '../services/sweeps.ts'
import type { StorageSettings } from '../settings.ts'
import { createObjectStore } from '../store.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export async function temporary(t: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-platform-storage-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** All files below a folder. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

export const digest = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Bytes in pieces; fails at the end with `error`, if there is one. */
export async function* pieces(bytes: Uint8Array, size = 65_536, error?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  if (error) throw error
}

/** The storage of a platform, on a driver of the test's own. */
export function storageOn({ platform: { knex } }: Booted, driver: Driver) {
  const objectStore = createObjectStore({ knex })
  const transaction = <T>(work: (trx: Trx) => Promise<T>) => knex.transaction(work)
  const place = { driver: async () => driver }
  const objects: Objects = createObjectService({ transaction, objectStore, place })
  const log = { info: () => undefined } as unknown as Kernel['log']
  const settings = { graceMinutes: 60 } as StorageSettings
  const { sweep } = createSweeps({ transaction, log, settings, objectStore, place })
  return { knex, objects, transaction, sweep: (graceSeconds?: number) => sweep(undefined, graceSeconds) }
}
