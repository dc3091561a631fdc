import type { KeyObject } from 'node:crypto'
import { createSecretKey, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../../contract/errors.ts'
import { newId } from '../../contract/ids.ts'
import { decrypt, encrypt, sealBroken } from './sealing.ts'
import type { ReadMasterKeys } from './secret-key.ts'
import type { Wrapped } from './wrapping.ts'
import { createWrapping, placeOfDataKey } from './wrapping.ts'

/** Secrets at rest: AES-256-GCM by a data key per project, which the master key wraps. */
export interface Vault {
  /** `place` names where the text will lie, such as `tools.tool_key/<id>`: it opens nowhere else. */
  seal(project: string, place: string, value: string): Promise<string>
  /** What was sealed; an error that tells nothing for another project or place, or a text that was changed. */
  open(project: string, place: string, sealed: string): Promise<string>
  /**
   * The same for rows of one table (and one of its columns, where it seals several): by the row's id. What cannot be
   * opened is a 503 with the code `key_unreadable`, which tells nothing of the text.
   */
  at(table: string, column?: string): Sealing
}

/** Secrets of the rows of one table. */
export interface Sealing {
  seal(project: string, id: string, value: string): Promise<string>
  open(project: string, id: string, sealed: string): Promise<string>
}

interface VaultOptions {
  readonly knex: Knex
  readonly masterKeys: ReadMasterKeys
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

const VERSION = 'v1'
const form = /^v1\.(dk_[0-9a-z]{26})\.([A-Za-z0-9_-]+)$/
const DATA_KEY_LENGTH = 32
const MAX_CACHED = 10_000

/** The vault, and beside it the wrapping of keys that are not a project's. */
export function createVault({ knex, masterKeys, log }: VaultOptions) {
  const wrapping = createWrapping(knex, masterKeys, log)
  const dataKeys = new LRUCache<string, { id: string; key: KeyObject }>({ max: MAX_CACHED })

  async function find(project: string) {
    const known = dataKeys.get(project)
    if (known) return known
    const row: ({ id: string } & Wrapped) | undefined = await knex('kernel.data_key')
      .where({ project })
      .first()
    if (!row) return undefined
    const key = createSecretKey(wrapping.unwrap(placeOfDataKey(project, row.id), row))
    const found = { id: row.id, key }
    dataKeys.set(project, found)
    return found
  }

  async function make(project: string) {
    const id = newId('dk')
    const place = placeOfDataKey(project, id)
    await wrapping.storing((trx, wrap) =>
      trx('kernel.data_key')
        .insert({ project, id, ...wrap(place, randomBytes(DATA_KEY_LENGTH)) })
        .onConflict()
        .ignore()
    )
    const made = await find(project)
    if (!made) throw new Error('The data key of the project is gone')
    return made
  }

  const vault: Vault = {
    async seal(project, place, value) {
      if (!value.isWellFormed()) throw new TypeError('A text with half a character in it cannot be sealed')
      const { id, key } = (await find(project)) ?? (await make(project))
      return `${VERSION}.${id}.${encrypt(key, [VERSION, id, project, place], Buffer.from(value))}`
    },
    async open(project, place, sealed) {
      const [, id = '', text = ''] = form.exec(sealed) ?? []
      const dataKey = id ? await find(project) : undefined
      if (dataKey?.id !== id) throw sealBroken()
      return decrypt(dataKey.key, [VERSION, id, project, place], text).toString()
    },
    at(table, column) {
      const placeOf = (id: string) => [table, id, ...(column === undefined ? [] : [column])].join('/')
      return {
        seal: (project, id, value) => vault.seal(project, placeOf(id), value),
        open: (project, id, sealed) =>
          vault.open(project, placeOf(id), sealed).catch((cause) => {
            throw unavailable(`What is sealed of ${id} cannot be opened`, { code: 'key_unreadable', cause })
          })
      }
    }
  }
  return { ...vault, ...wrapping }
}
