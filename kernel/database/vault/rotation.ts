import { existsSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Trx } from '../transaction.ts'
import { keyFileOf, newKeyText, readKeyFile, replaceKeyFile } from './key-file.ts'
import { findMasterKeys, keyTexts, parseKeys } from './secret-key.ts'
import type { Rotated } from './wrapping.ts'
import { createWrapping } from './wrapping.ts'

interface Options {
  readonly knex: Knex
  readonly dataDir: string
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** The old master keys stay, since another database may need them. */
  readonly keep?: boolean
}

export interface FileRotated extends Rotated {
  /** How many keys are in the file now. */
  readonly keys: number
}

/** Where the file is. Throws an error for the operator where there is none. */
export function findKeyFile(dataDir: string): string {
  const file = keyFileOf(dataDir)
  if (existsSync(file)) return file
  throw new Error(`There is no ${file} yet: the platform makes it when it starts for the first time`)
}

interface Entry {
  readonly key: string
  readonly id: string
}

/**
 * Gives a development platform, stopped or running, a new master key: it is put before the old one in the file,
 * every stored key is wrapped by it, and master keys that no stored key needs leave the file. At every moment
 * the file has the master keys of all stored keys: it changes while no process stores one, and a process that stores one
 * reads it within the same lock. A rotation that was cut is finished by the next, which then makes no new key.
 */
export async function rotateKeyFile({ knex, dataDir, log, keep = false }: Options): Promise<FileRotated> {
  const file = findKeyFile(dataDir)
  const wrapping = createWrapping(knex, findMasterKeys({ dataDir, production: false }), log)
  const read = () => {
    const text = readKeyFile(file)
    const ids = parseKeys(text, file).map(({ id }) => id)
    return keyTexts(text).map((key, at): Entry => ({ key, id: ids[at] as string }))
  }
  const replace = (keys: readonly Pick<Entry, 'key'>[], trx: Trx) =>
    replaceKeyFile(
      file,
      keys.map(({ key }) => key),
      // A process that lost the connection has lost the lock as well.
      () => trx.raw('select 1')
    )

  await wrapping.alone(async (needed, trx) => {
    const [first, ...older] = read()
    // A key that is needed only by what does not open is no reason to wait.
    const isUnfinished = older.some(({ id }) => (needed.has(id) ? needed.get(id) !== 0 : !keep))
    if (!isUnfinished) await replace([{ key: newKeyText() }, first as Entry, ...older], trx)
  })
  const rotated = await wrapping.rotate()
  const keys = await wrapping.alone(async (needed, trx) => {
    const keys = read()
    const left = keys.filter(({ id }, at) => at === 0 || keep || needed.has(id))
    if (left.length < keys.length) await replace(left, trx)
    return left.length
  })
  return { ...rotated, keys }
}
