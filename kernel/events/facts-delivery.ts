import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { within } from '../data/deadline.ts'
import type { Trx } from '../data/transaction.ts'
import { conflict, notFound } from '../errors.ts'
import type { Fact } from './fact.ts'
import type { Batch } from './facts-cursor.ts'
import { move, read, take } from './facts-cursor.ts'
import { due, findParked, hold, keyOf, queue, reasonOf, release, settle, subjects } from './facts-held.ts'
import type { FactRow } from './facts-outbox.ts'
import { toFact } from './facts-outbox.ts'

/** A pack that listens, as the current generation has it. */
export interface Listener {
  readonly names: ReadonlySet<string>
  handle(fact: Fact, trx: Trx): Promise<void>
}
export type Listeners = ReadonlyMap<string, Listener>

export interface Delivery {
  /** Hands the pack one batch below the horizon. */
  deliver(pack: string, seen: string, horizon: string): Promise<Outcome>
  /** Tries the pack's held facts that are due. */
  retry(pack: string): Promise<Outcome>
  /** Tries a parked fact now. Throws 404 for one that is not parked, 409 while the pack does not listen. */
  replay(pack: string, factId: string): Promise<Replayed>
}
/** `more`: the batch was full; `elsewhere`: another instance has the cursor. */
export type Outcome = 'done' | 'more' | 'elsewhere'
export type Replayed = { readonly handled: true } | { readonly handled: false; readonly error: string }

interface DeliveryOptions {
  readonly knex: Knex
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly listeners: () => Listeners
  /** After so many a fact is parked. */
  readonly attempts: number
  /** Milliseconds before the next attempt, after that many. */
  readonly backoff: (attempts: number) => number
  /** Facts in a batch. */
  readonly limit: number
  /** Milliseconds that a handler may take. */
  readonly handlerMs: number
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { knex, log, listeners, attempts, backoff, limit, handlerMs } = options

  async function handle(trx: Trx, listener: Listener, row: FactRow) {
    await within(handlerMs, listener.handle(toFact(row), trx))
  }

  /** Undefined when handled; otherwise its effects are undone and the reason is returned. */
  async function attempt(trx: Trx, listener: Listener, row: FactRow): Promise<string | undefined> {
    // The pack no longer cares for facts of that name.
    if (!listener.names.has(row.name)) return undefined
    try {
      await trx.transaction(async (savepoint) => {
        await handle(savepoint, listener, row)
        // What would fail at the commit must fail here, where it is known whose fault it is.
        await savepoint.raw('set constraints all immediate; set constraints all deferred')
      })
      return undefined
    } catch (error) {
      return reasonOf(error)
    }
  }

  /** True while the fact's subject stays held back. */
  async function failed(
    trx: Trx,
    pack: string,
    row: FactRow,
    tried: number,
    error: string
  ): Promise<boolean> {
    const parks = tried >= attempts
    await hold(trx, pack, row, { attempts: tried, error, retryMs: parks ? undefined : backoff(tried) })
    log.warn(
      { pack, fact: row.id, name: row.name, attempts: tried, reason: error, parked: parks },
      'A fact was not handled'
    )
    return !parks
  }

  async function allTogether(trx: Trx, pack: string, listener: Listener, { facts, holding }: Batch) {
    const held = holding ? await subjects(trx, pack) : new Set<string>()
    for (const row of facts) if (!held.has(keyOf(row))) await handle(trx, listener, row)
    await queue(
      trx,
      pack,
      facts.filter((row) => held.has(keyOf(row)))
    )
  }

  async function oneByOne(trx: Trx, pack: string, listener: Listener, { facts, holding }: Batch) {
    const held = holding ? await subjects(trx, pack) : new Set<string>()
    for (const row of facts) {
      if (held.has(keyOf(row))) {
        await queue(trx, pack, [row])
        continue
      }
      const error = await attempt(trx, listener, row)
      if (error !== undefined && (await failed(trx, pack, row, 1, error))) held.add(keyOf(row))
    }
    await settle(trx, pack)
  }

  type Way = typeof allTogether
  function pass(pack: string, listener: Listener, seen: string, horizon: string, way: Way): Promise<Outcome> {
    return knex.transaction(async (trx) => {
      const names = [...listener.names]
      const batch = await read(trx, { pack, names, seen, horizon, limit, statementMs: handlerMs })
      if (!batch) return 'elsewhere'
      const last = batch.facts.at(-1)
      if (!last) return 'done'
      await way(trx, pack, listener, batch)
      const full = batch.facts.length === limit
      await move(trx, pack, full ? last : { transaction: horizon, position: '0' })
      return full ? 'more' : 'done'
    })
  }

  return {
    async deliver(pack, seen, horizon) {
      const listener = listeners().get(pack)
      if (!listener) return 'done'
      let begun = false
      const first: Way = (...args) => {
        begun = true
        return allTogether(...args)
      }
      try {
        return await pass(pack, listener, seen, horizon, first)
      } catch (error) {
        // A handler, or what it left behind; when it was the database, the second pass fails likewise.
        if (!begun) throw error
      }
      return pass(pack, listener, seen, horizon, oneByOne)
    },
    retry: (pack) =>
      knex.transaction(async (trx) => {
        const listener = listeners().get(pack)
        if (!listener) return 'done'
        if (!(await take(trx, pack, handlerMs, 'skip locked'))) return 'elsewhere'
        const rows = await due(trx, pack, limit)
        const held = new Set<string>()
        for (const row of rows) {
          if (held.has(keyOf(row))) continue
          const error = await attempt(trx, listener, row)
          if (error === undefined) await release(trx, pack, row)
          else if (await failed(trx, pack, row, row.attempts + 1, error)) held.add(keyOf(row))
        }
        await settle(trx, pack)
        return rows.length === limit ? 'more' : 'done'
      }),
    replay: (pack, factId) =>
      knex.transaction(async (trx) => {
        const known = await take(trx, pack, handlerMs)
        const row = known ? await findParked(trx, pack, factId) : undefined
        if (!row) throw notFound('Parked fact')
        const listener = listeners().get(pack)
        if (!listener?.names.has(row.name))
          throw conflict(`The pack ${pack} does not listen to ${row.name} now`)
        const error = await attempt(trx, listener, row)
        if (error === undefined) await release(trx, pack, row)
        else await hold(trx, pack, row, { attempts: row.attempts + 1, error, retryMs: undefined })
        return error === undefined ? { handled: true } : { handled: false, error }
      })
  }
}
