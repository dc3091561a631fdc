import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Trx } from '../transaction.ts'
import { decrypt, encrypt, sealBroken } from './sealing.ts'
import type { ReadMasterKeys } from './secret-key.ts'

/** A key as it lies in the database. */
export interface Wrapped {
  readonly wrapped: string
  /** Id of the master key that opens it. */
  readonly masterKey: string
}

type Place = readonly string[]
type Wrap = (place: Place, key: Uint8Array) => Wrapped

export const placeOfDataKey = (project: string, id: string): Place => ['data_key', project, id]
export const placeOfSigningKey = (id: string): Place => ['signing_key', id]

type Row = Wrapped & { readonly id: string; readonly project: string }
const tables = [
  {
    table: 'kernel.data_key',
    placeOf: ({ project, id }: Row) => placeOfDataKey(project, id),
    keyOf: ({ project, id }: Row): Partial<Row> => ({ project, id })
  },
  {
    table: 'kernel.signing_key',
    placeOf: ({ id }: Row) => placeOfSigningKey(id),
    keyOf: ({ id }: Row): Partial<Row> => ({ id })
  }
]

/** Shared by those who store wrapped keys, held alone by the process that changes which master keys there are. */
const lock = `hashtextextended('kernel.master-key', 0)`

/** Keys under the master key, bound to the place where they lie. */
export type Wrapping = Pick<ReturnType<typeof createWrapping>, 'storing' | 'unwrap'>

/** What became of the stored keys. */
export interface Rotated {
  readonly changed: number
  /** How many do not open, because their master key is not there or they were damaged; left as they are. */
  readonly lost: number
}

/** How many stored keys open by the first master key, by the others, and not at all. */
export interface Survey {
  readonly first: number
  readonly older: number
  readonly lost: number
}

export function createWrapping(
  knex: Knex,
  masterKeys: ReadMasterKeys,
  log: Pick<FastifyBaseLogger, 'error'>
) {
  const known = new Map<string, KeyObject>()
  const contextOf = (masterKey: string, place: Place) => ['w1', masterKey, ...place]

  /** A master key, also one that was made since these were read last. */
  function find(masterKey: string): KeyObject | undefined {
    if (!known.has(masterKey)) for (const { id, key } of masterKeys()) known.set(id, key)
    return known.get(masterKey)
  }

  /** Throws an error that tells nothing; the log says when the master key is missing. */
  function unwrap(place: Place, { wrapped, masterKey }: Wrapped): Buffer {
    const key = find(masterKey)
    if (key) return decrypt(key, contextOf(masterKey, place), wrapped)
    log.error(
      { masterKey, known: [...known.keys()] },
      'PLATFORM_SECRET_KEY lacks the master key of a stored key'
    )
    throw sealBroken()
  }

  function opens(place: Place, wrapped: Wrapped): Buffer | undefined {
    try {
      return unwrap(place, wrapped)
    } catch {
      return undefined
    }
  }

  /**
   * Runs the transaction that stores newly wrapped keys. Until it has ended no master key goes away, so that
   * what it stores can be read by any later process.
   */
  const storing = <T>(work: (trx: Trx, wrap: Wrap) => Promise<T>): Promise<T> =>
    knex.transaction(async (trx) => {
      await trx.raw(`select pg_advisory_xact_lock_shared(${lock})`)
      const [{ id, key }] = masterKeys()
      return work(trx, (place, value) => ({
        wrapped: encrypt(key, contextOf(id, place), value),
        masterKey: id
      }))
    })

  /**
   * Runs while no process stores a wrapped key. It gets the ids of the master keys, other than the first, by which
   * stored keys say that they are wrapped, and how many of these do open.
   */
  const alone = <T>(work: (needed: ReadonlyMap<string, number>, trx: Trx) => Promise<T>): Promise<T> =>
    knex.transaction(async (trx) => {
      await trx.raw(`set local lock_timeout = '10s'; select pg_advisory_xact_lock(${lock})`)
      const needed = new Map<string, number>()
      for (const { table, placeOf } of tables)
        for (const row of await rowsOfOthers(trx, table))
          needed.set(row.masterKey, (needed.get(row.masterKey) ?? 0) + (opens(placeOf(row), row) ? 1 : 0))
      return work(needed, trx)
    })

  const rowsOfOthers = (on: Knex | Trx, table: string): Promise<Row[]> =>
    on(table).whereNot({ masterKey: masterKeys()[0].id }).select()

  /**
   * Wraps every stored key by the first master key. Each key is changed by itself, so that a rotation that was
   * cut goes on where it stopped, and several at a time do not disturb each other.
   */
  async function rotate(): Promise<Rotated> {
    let changed = 0
    let lost = 0
    for (const { table, placeOf, keyOf } of tables)
      for (const row of await rowsOfOthers(knex, table)) {
        const key = opens(placeOf(row), row)
        if (!key) lost++
        else
          changed += await storing((trx, wrap) =>
            trx(table)
              .where({ ...keyOf(row), masterKey: row.masterKey })
              .update(wrap(placeOf(row), key))
          )
      }
    return { changed, lost }
  }

  /** Tries to open every stored key; changes nothing. */
  async function survey(): Promise<Survey> {
    const [{ id: first }] = masterKeys()
    const found = { first: 0, older: 0, lost: 0 }
    for (const { table, placeOf } of tables)
      for (const row of (await knex(table)) as Row[])
        found[!opens(placeOf(row), row) ? 'lost' : row.masterKey === first ? 'first' : 'older']++
    return found
  }

  return { unwrap, storing, alone, rotate, survey }
}
