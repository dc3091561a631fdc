import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { within } from '../data/deadline.ts'
import type { Trx } from '../data/transaction.ts'
import { conflict, notFound } from '../errors.ts'
import type { Fact } from './fact.ts'
import { move, read, take } from './facts-cursor.ts'
import type { HeldRow } from './facts-held.ts'
import { due, findParked, hold, keyOf, queue, release, settle, subjects } from './facts-held.ts'
import type { FactRow } from './facts-outbox.ts'
import { toFact } from './facts-outbox.ts'

/** A pack that listens, as the current generation has it. */
export interface Listener {
  readonly names: ReadonlySet<string>
  handle(fact: Fact, trx: Trx): Promise<void>
}
export type Listeners = ReadonlyMap<string, Listener>
export type Replayed = { readonly handled: true } | { readonly handled: false; readonly error: string }

interface DeliveryOptions {
  readonly knex: Knex
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly listeners: () => Listeners
  /** After so many a fact is parked. */
  readonly attempts: number
  /** Milliseconds before the next attempt, after that many. */
  readonly backoff: (attempts: number) => number
  /** Facts in a transaction. */
  readonly batch: number
  /** Milliseconds that a handler may take. */
  readonly handlerMs: number
}

export function createDelivery(options: DeliveryOptions) {
  const { knex, log, listeners, attempts, backoff, batch, handlerMs } = options

  const handle = (trx: Trx, listener: Listener, row: FactRow) =>
    within(handlerMs, listener.handle(toFact(row), trx))

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

  /** True when the fact holds back its subject from now on. */
  async function fails(trx: Trx, pack: string, listener: Listener, row: FactRow | HeldRow) {
    const error = await attempt(trx, listener, row)
    if (error === undefined) {
      if ('attempts' in row) await release(trx, pack, row)
      return false
    }
    const tried = 'attempts' in row ? row.attempts + 1 : 1
    const parked = tried >= attempts
    await hold(trx, pack, row, { attempts: tried, error, retryMs: parked ? null : backoff(tried) })
    const { id: fact, name } = row
    log.warn({ pack, fact, name, attempts: tried, reason: error, parked }, 'A fact was not handled')
    return !parked
  }

  async function retry(trx: Trx, pack: string, listener: Listener) {
    const held = new Set<string>()
    for (const row of await due(trx, pack, batch)) {
      if (held.has(keyOf(row))) continue
      if (await fails(trx, pack, listener, row)) held.add(keyOf(row))
    }
    await settle(trx, pack)
  }

  /** A batch is handled as a whole; `carefully` one by one, so that what fails is held back alone. */
  function pass(pack: string, listener: Listener, horizon: string, carefully: boolean): Promise<boolean> {
    return knex.transaction(async (trx) => {
      const names = [...listener.names]
      const facts = await read(trx, { pack, names, horizon, limit: batch, statementMs: handlerMs })
      if (!facts) return false
      const held = await subjects(trx, pack)
      const waiting: FactRow[] = []
      for (const row of facts) {
        if (held.has(keyOf(row))) waiting.push(row)
        else if (!carefully) await handle(trx, listener, row)
        else if (await fails(trx, pack, listener, row)) held.add(keyOf(row))
      }
      await queue(trx, pack, waiting)
      if (held.size > 0) await retry(trx, pack, listener)
      const last = facts.length === batch ? facts.at(-1) : undefined
      await move(trx, pack, last ?? { transaction: horizon, position: '0' })
      return true
    })
  }

  return {
    /** Hands the pack one batch below the horizon and what is held and due; false when another instance does. */
    async deliver(pack: string, horizon: string): Promise<boolean> {
      const listener = listeners().get(pack)
      if (!listener) return false
      // A handler may have failed, or what it left behind; if it was the database, this fails likewise.
      return pass(pack, listener, horizon, false).catch(() => pass(pack, listener, horizon, true))
    },
    /** Tries a parked fact now. Throws 404 for one that is not parked, 409 while the pack does not listen. */
    replay: (pack: string, factId: string): Promise<Replayed> =>
      knex.transaction(async (trx) => {
        const known = await take(trx, pack, handlerMs)
        const [row] = known ? await findParked(trx, pack, factId) : []
        if (!row) throw notFound('Parked fact')
        const listener = listeners().get(pack)
        if (!listener?.names.has(row.name))
          throw conflict(`The pack ${pack} does not listen to ${row.name} now`)
        const error = await attempt(trx, listener, row)
        if (error === undefined) {
          await release(trx, pack, row)
          return { handled: true }
        }
        await hold(trx, pack, row, { attempts: row.attempts + 1, error, retryMs: null })
        return { handled: false, error }
      })
  }
}

/** The message of what a handler threw, without the statement that knex puts before the database's words. */
export function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const ofDatabase = thrown instanceof Error && 'severity' in thrown
  return (ofDatabase ? message.slice(message.lastIndexOf(' - ') + 1) : message)
    .replace(/^- /, '')
    .slice(0, 500)
}
