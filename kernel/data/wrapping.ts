import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { decrypt, encrypt, sealBroken } from './sealing.ts'
import type { MasterKeys } from './secret-key.ts'

/** A key as it lies in the database. */
export interface Wrapped {
  readonly wrapped: string
  /** Id of the master key that opens it. */
  readonly masterKey: string
}

type Place = readonly string[]

export const placeOfDataKey = (project: string, id: string): Place => ['data_key', project, id]
export const placeOfSigningKey = (id: string): Place => ['signing_key', id]

type Row = Wrapped & { readonly id: string; readonly project: string }
const tables = [
  { table: 'kernel.data_key', placeOf: ({ project, id }: Row) => placeOfDataKey(project, id) },
  { table: 'kernel.signing_key', placeOf: ({ id }: Row) => placeOfSigningKey(id) }
]

/** Keys under the master key, bound to the place where they lie. */
export type Wrapping = Pick<ReturnType<typeof createWrapping>, 'wrap' | 'unwrap'>

export function createWrapping(knex: Knex, masterKeys: MasterKeys, log: Pick<FastifyBaseLogger, 'error'>) {
  let [first] = masterKeys
  const known = new Map(masterKeys.map(({ id, key }) => [id, key]))
  const contextOf = (masterKey: string, place: Place) => ['w1', masterKey, ...place]

  const wrap = (place: Place, key: Uint8Array): Wrapped => ({
    wrapped: encrypt(first.key, contextOf(first.id, place), key),
    masterKey: first.id
  })

  /** Throws an error that tells nothing; the log says when the master key is missing. */
  function unwrap(place: Place, { wrapped, masterKey }: Wrapped): Buffer {
    const key = known.get(masterKey)
    if (key) return decrypt(key, contextOf(masterKey, place), wrapped)
    const ids = [...known.keys()]
    log.error({ masterKey, known: ids }, 'PLATFORM_SECRET_KEY lacks the master key of a stored key')
    throw sealBroken()
  }

  /**
   * Wraps every stored key by the first of these master keys; all of them, and those in use before, open. Each
   * key is changed by itself, so that a rotation that was cut goes on where it stopped. Instances that run
   * meanwhile need the new master key too. Returns how many changed; what could not be opened is left as it is
   * and named in an error after the rest.
   */
  async function rotate(masterKeys: MasterKeys): Promise<number> {
    first = masterKeys[0]
    for (const { id, key } of masterKeys) known.set(id, key)
    let changed = 0
    const missing = new Set<string>()
    for (const { table, placeOf } of tables) {
      const rows: Row[] = await knex(table).whereNot({ masterKey: first.id })
      for (const row of rows) {
        const { id, masterKey } = row
        let key: Buffer
        try {
          key = unwrap(placeOf(row), row)
        } catch {
          missing.add(masterKey)
          continue
        }
        changed += await knex(table)
          .where({ id, masterKey })
          .update(wrap(placeOf(row), key))
      }
    }
    if (missing.size === 0) return changed
    throw new Error(
      `Some stored keys cannot be opened: master keys ${[...missing].join(', ')} are missing or wrong`
    )
  }

  return { wrap, unwrap, rotate }
}
