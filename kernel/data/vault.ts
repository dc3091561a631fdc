import type { KeyObject } from 'node:crypto'
import { createSecretKey, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { newId } from '../ids.ts'
import { placeOfDataKey, rewrap } from './rotation.ts'
import { decrypt, encrypt, sealBroken } from './sealing.ts'
import type { MasterKey } from './secret-key.ts'
import type { Wrapped, Wrapping } from './wrapping.ts'
import { createWrapping } from './wrapping.ts'

/** Secrets at rest: AES-256-GCM by a data key per project, which the master key wraps. */
export interface Vault {
  /** `place` names where the text will lie, such as `tools.tool_key/<id>`: it opens nowhere else. */
  seal(project: string, place: string, value: string): Promise<string>
  /** What was sealed; an error that tells nothing for another project or place, or a text that was changed. */
  open(project: string, place: string, sealed: string): Promise<string>
}

/** The vault as the kernel has it. */
export interface KernelVault extends Vault, Wrapping {
  /**
   * Wraps every stored key by the first of these master keys; all of them, and those in use before, open.
   * Each key is changed by itself and says which master key opens it, so that a rotation that was cut goes
   * on where it stopped. Instances that run meanwhile need the new master key too. Returns how many changed.
   */
  rotate(masterKeys: readonly [MasterKey, ...MasterKey[]]): Promise<number>
}

interface DataKey {
  readonly id: string
  readonly project: string
  readonly key: KeyObject
}

const VERSION = 'v1'
const form = /^v1\.(dk_[0-9a-z]{26})\.([A-Za-z0-9_-]+)$/
const DATA_KEY_LENGTH = 32
const MAX_CACHED = 10_000

export function createVault({
  knex,
  masterKeys,
  log
}: {
  knex: Knex
  masterKeys: readonly [MasterKey, ...MasterKey[]]
  log: Pick<FastifyBaseLogger, 'error'>
}): KernelVault {
  const wrapping = createWrapping(masterKeys, log)
  const byProject = new LRUCache<string, DataKey>({ max: MAX_CACHED })

  async function find(project: string): Promise<DataKey | undefined> {
    const row: ({ id: string } & Wrapped) | undefined = await knex('kernel.data_key')
      .where({ project })
      .first()
    if (!row) return undefined
    const key = createSecretKey(wrapping.unwrap(placeOfDataKey(project, row.id), row))
    const found = { id: row.id, project, key }
    byProject.set(project, found)
    return found
  }

  async function make(project: string): Promise<DataKey> {
    const id = newId('dk')
    const wrapped = wrapping.wrap(placeOfDataKey(project, id), randomBytes(DATA_KEY_LENGTH))
    await knex('kernel.data_key')
      .insert({ project, id, ...wrapped })
      .onConflict()
      .ignore()
    const made = await find(project)
    if (!made) throw new Error('The data key of the project is gone')
    return made
  }

  return {
    wrap: wrapping.wrap,
    unwrap: wrapping.unwrap,

    async seal(project, place, value) {
      if (!value.isWellFormed()) throw new TypeError('A text with half a character in it cannot be sealed')
      const { id, key } = byProject.get(project) ?? (await find(project)) ?? (await make(project))
      return `${VERSION}.${id}.${encrypt(key, [VERSION, id, project, place], Buffer.from(value))}`
    },

    async open(project, place, sealed) {
      const [, id, text] = form.exec(sealed) ?? []
      if (id === undefined || text === undefined) throw sealBroken()
      const dataKey = byProject.get(project) ?? (await find(project))
      if (dataKey?.id !== id) throw sealBroken()
      return decrypt(dataKey.key, [VERSION, id, project, place], text).toString()
    },

    async rotate(newKeys) {
      wrapping.use(newKeys)
      return rewrap(knex, wrapping, newKeys[0].id)
    }
  }
}
