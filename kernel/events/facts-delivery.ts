import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { conflict, notFound } from '../contract/errors.ts'
import { within } from '../database/deadline.ts'
import type { Hot } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'
import type { Fact } from './fact.ts'
import { read } from './facts-cursor.ts'
import type { HeldRow } from './facts-held.ts'
import { due, findDeadLettered, hold, keyOf, queue, release, settle, subjects } from './facts-held.ts'
import type { FactRow, Place } from './facts-outbox.ts'
import { toFact } from './facts-outbox.ts'

/** A pack that listens, as the current generation has it. */
export interface Listener {
  readonly names: ReadonlySet<string>
  /** Those of them whose facts it takes many at a time, each with the first that has the same handler: they come together. */
  readonly batches: ReadonlyMap<string, string>
  /** At least one, of that name or of those that come with it. */
  handle(name: string, facts: readonly Fact[], trx: Trx): Promise<void>
}
export type Listeners = ReadonlyMap<string, Listener>
export type Replayed = { readonly handled: true } | { readonly handled: false; readonly error: string }

export const usualPace = {
  /** After so many a fact is dead-lettered. */
  attempts: 20,
  /** Milliseconds before the next attempt: from one second to five minutes, doubling, a quarter up or down. */
  backoff: (attempts: number) => Math.min(300_000, 1_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2),
  /** Facts in a transaction. */
  batch: 200,
  /** Milliseconds that a handler may take. */
  handlerMs: 30_000,
  /** Milliseconds between two looks when nothing wakes the loop. */
  pollMs: 1_000,
  /** Milliseconds between two looks at least, so that facts of many transactions make one batch. */
  gapMs: 20,
  /** Milliseconds between two looks at most, while facts come in a stream. */
  gatherMs: 250,
  /** Milliseconds that facts wait for one open transaction before the log says so. */
  stuckMs: 30_000
}

export interface FactsOptions {
  readonly knex: Knex
  readonly hot: Hot
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Of the generation that is current at the moment of the call. */
  readonly listeners: () => Listeners
  readonly pace?: Partial<typeof usualPace>
}

export function createDelivery({ knex, log, listeners, pace }: Omit<FactsOptions, 'hot'>) {
  const { attempts, backoff, batch, handlerMs } = { ...usualPace, ...pace }

  const handle = (trx: Trx, listener: Listener, name: string, rows: readonly FactRow[]) =>
    within(handlerMs, listener.handle(name, rows.map(toFact), trx))

  /** Undefined when handled; otherwise its effects are undone and the reason is returned. */
  async function attempt(trx: Trx, listener: Listener, row: FactRow): Promise<string | undefined> {
    // The pack no longer cares for facts of that name.
    if (!listener.names.has(row.name)) return undefined
    try {
      await trx.transaction(async (savepoint) => {
        await handle(savepoint, listener, row.name, [row])
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
    const deadLettered = tried >= attempts
    await hold(trx, pack, row, { attempts: tried, error, retryMs: deadLettered ? null : backoff(tried) })
    const { id: fact, name } = row
    log.warn({ pack, fact, name, attempts: tried, reason: error, deadLettered }, 'A fact was not handled')
    return !deadLettered
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
      const free: FactRow[] = []
      for (const row of facts) {
        if (held.has(keyOf(row))) waiting.push(row)
        else if (!carefully) free.push(row)
        else if (await fails(trx, pack, listener, row)) held.add(keyOf(row))
      }
      for (const { name, rows } of callsFor(free, listener)) await handle(trx, listener, name, rows)
      await queue(trx, pack, waiting)
      if (held.size > 0) await retry(trx, pack, listener)
      // Without facts the horizon may be behind the cursor, which another instance has moved since.
      if (facts.length > 0) {
        const end = facts.length < batch ? { transaction: horizon, position: '0' } : (facts.at(-1) as Place)
        const { transaction, position } = end
        await trx('kernel.fact_cursor').where({ pack }).update({ transaction, position })
      }
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
    /** Tries a dead-lettered fact now. Throws 404 for one that is not dead-lettered, 409 while the pack does not listen. */
    replay: (pack: string, factId: string): Promise<Replayed> =>
      knex.transaction(async (trx) => {
        await trx('kernel.fact_cursor').where({ pack }).forUpdate()
        const [row] = await findDeadLettered(trx, { pack, id: factId })
        if (!row) throw notFound('Dead-lettered fact')
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

export type Delivery = ReturnType<typeof createDelivery>

interface Call {
  readonly name: string
  readonly rows: FactRow[]
}

/** A fact joins the latest batch of its handler, unless a fact of its subject stands behind that. */
function callsFor(facts: readonly FactRow[], { batches }: Pick<Listener, 'batches'>): readonly Call[] {
  const calls: Call[] = []
  const open = new Map<string, number>()
  const last = new Map<string, number>()
  for (const row of facts) {
    const { name } = row
    const handler = batches.get(name) ?? name
    const batch = open.get(handler) ?? -1
    const at = batch >= 0 && batch >= (last.get(keyOf(row)) ?? 0) ? batch : calls.length
    if (at < calls.length) calls[at]?.rows.push(row)
    else calls.push({ name, rows: [row] })
    if (batches.has(name)) open.set(handler, at)
    last.set(keyOf(row), at)
  }
  return calls
}

/** The message of what a handler threw, without the statement that knex puts before the database's words. */
export function reasonOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const ofDatabase = thrown instanceof Error && 'severity' in thrown
  return (ofDatabase ? message.slice(message.lastIndexOf(' - ') + 1) : message)
    .replace(/^- /, '')
    .slice(0, 500)
}
