import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Knex } from 'knex'
import type { KernelCredentials } from '../kernel/identity/credentials.ts'
import { isKey } from '../kernel/identity/keys.ts'
import type { Principal } from '../kernel/identity/ownership.ts'
import type { KeyOrder } from '../kernel/identity/project-keys.ts'
import { createProjectKeys } from '../kernel/identity/project-keys.ts'
import { ADMIN_SCOPE } from '../kernel/identity/scopes.ts'

const ID = 'developer'
const order: KeyOrder = { name: ID, principal: ID, type: 'user', project: 'default', admin: true }
const TAKE_TURN = `select pg_advisory_xact_lock(hashtextextended('kernel.development-key', 0))`

export const developmentKeyFile = (dataDir: string): string => join(dataDir, 'development-key')

interface Deps {
  readonly knex: Knex
  readonly credentials: Pick<KernelCredentials, 'resolve' | 'revoke'>
}

/**
 * The developer of this machine, whose key lies in the file (mode 0600) and nowhere else. It is made where the file
 * has none that this database knows, once also when two processes start at the same time. One that others than the
 * owner could read is revoked, and made anew.
 */
export async function openDevelopmentKey(file: string, { knex, credentials }: Deps): Promise<Principal> {
  async function find(): Promise<Principal | undefined> {
    const { key, isPrivate } = await read(file)
    const grant = isKey(key) ? await credentials.resolve(key) : undefined
    if (grant?.principal.id !== ID || !grant.principal.scopes.has(ADMIN_SCOPE)) return undefined
    if (isPrivate) return grant.principal
    await credentials.revoke(grant.credential)
  }

  const known = await find()
  if (known) return known
  // The key and its file are one: where the file cannot be written there is no key either.
  await knex.transaction(async (trx) => {
    await trx.raw(TAKE_TURN)
    if (!(await find())) await replace(file, await createProjectKeys(trx)(order))
  })
  const made = await find()
  if (!made) throw new Error(`${file} was changed while it was made`)
  return made
}

/** In production such a key is good for nothing, and no longer there. True when there was one. */
export async function endDevelopmentKey(
  file: string,
  credentials: Pick<KernelCredentials, 'resolve' | 'revoke'>
): Promise<boolean> {
  const { key } = await read(file)
  const grant = isKey(key) ? await credentials.resolve(key) : undefined
  if (grant?.principal.id !== ID) return false
  await credentials.revoke(grant.credential)
  await rm(file, { force: true })
  return true
}

async function read(file: string): Promise<{ key: string; isPrivate: boolean }> {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new Error(`${file} is no file`)
    const { mode } = found
    const key = (await readFile(file, 'utf8')).trim()
    return { key, isPrivate: process.platform === 'win32' || (mode & 0o077) === 0 }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { key: '', isPrivate: true }
  }
}

/** Written whole beside its place and then put into it, so that no reader ever sees half a key. */
async function replace(file: string, key: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}
