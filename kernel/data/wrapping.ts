import type { FastifyBaseLogger } from 'fastify'
import { decrypt, encrypt, sealBroken } from './sealing.ts'
import type { MasterKey } from './secret-key.ts'

/** A key as it lies in the database. */
export interface Wrapped {
  readonly wrapped: string
  /** Id of the master key that opens it. */
  readonly masterKey: string
}

/** Keys under the master key, bound to the place where they lie. */
export interface Wrapping {
  wrap(place: readonly string[], key: Uint8Array): Wrapped
  /** Throws an error that tells nothing; the log says when the master key is missing. */
  unwrap(place: readonly string[], wrapped: Wrapped): Buffer
}

/** `use` puts further master keys before those in use. */
export function createWrapping(
  masterKeys: readonly [MasterKey, ...MasterKey[]],
  log: Pick<FastifyBaseLogger, 'error'>
): Wrapping & { use(keys: readonly [MasterKey, ...MasterKey[]]): void } {
  let [first] = masterKeys
  const known = new Map(masterKeys.map(({ id, key }) => [id, key]))

  const contextOf = (masterKey: string, place: readonly string[]) => ['w1', masterKey, ...place]

  return {
    wrap: (place, key) => ({
      wrapped: encrypt(first.key, contextOf(first.id, place), key),
      masterKey: first.id
    }),
    unwrap(place, { wrapped, masterKey }) {
      const key = known.get(masterKey)
      if (!key) {
        log.error(
          { masterKey, known: [...known.keys()] },
          'PLATFORM_SECRET_KEY lacks the master key of a stored key'
        )
        throw sealBroken()
      }
      return decrypt(key, contextOf(masterKey, place), wrapped)
    },
    use(keys) {
      first = keys[0]
      for (const { id, key } of keys) known.set(id, key)
    }
  }
}
