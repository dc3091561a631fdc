import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Fragment } from '../data/hot.ts'
import type { Trx } from '../data/transaction.ts'
import type { Principal } from '../ownership.ts'
import type { FactDetails } from './fact.ts'
import { caughtUp, enlist, forget, newest } from './facts-cursor.ts'
import type { Listeners, Replayed } from './facts-delivery.ts'
import { createDelivery } from './facts-delivery.ts'
import type { Parked } from './facts-held.ts'
import { parked } from './facts-held.ts'
import { createLoop } from './facts-loop.ts'
import { insertion, prune, run } from './facts-outbox.ts'
import { restore } from './facts-restore.ts'
import type { Signals } from './signals.ts'

/** The outbox: facts written with what made them true, handled by each listening pack exactly once. */
export interface Facts {
  /** Writes a fact in the caller's transaction. Throws a TypeError when its data has no JSON form. */
  record(trx: Trx, name: string, by: Principal, details: FactDetails): Promise<void>
  /** The same as an insert for a larger statement; call `recorded` after that has committed. */
  row(name: string, by: Principal, details: FactDetails): Fragment
  /** Wakes delivery, here and on the other instances. */
  recorded(): void
  /** Begins to deliver: after the migrations, before anything is recorded. Rejects when the database fails. */
  start(): Promise<void>
  /** Gives packs that listen for the first time what is recorded from now on: call it before they are on. */
  enlist(packs: Iterable<string>): Promise<void>
  /** Facts that were set aside, the latest first, at most 100. */
  parked(pack?: string): Promise<Parked[]>
  /** Tries a parked fact now. Throws 404 for one that is not parked, 409 while the pack does not listen to it. */
  replay(pack: string, factId: string): Promise<Replayed>
  /** Removes the cursor and the held facts of a pack that is gone for good: facts are kept for it until then. */
  forget(pack: string): Promise<void>
  /** Resolves when all that was recorded before has been handled or held; rejects when it cannot be known. */
  settled(): Promise<void>
  /** Removes old facts that nobody needs any more; how many. Done every hour by itself. */
  prune(): Promise<number>
  /** Finishes what is under way. */
  close(): Promise<void>
}

interface FactsOptions {
  readonly knex: Knex
  readonly signals: Pick<Signals, 'send' | 'on' | 'onChange'>
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Of the generation that is current at the moment of the call. */
  readonly listeners: () => Listeners
  readonly attempts?: number
  readonly backoff?: (attempts: number) => number
  readonly batch?: number
  readonly handlerMs?: number
  readonly parallel?: number
  readonly pollMs?: number
  readonly gapMs?: number
  readonly keepDays?: number
}

const topic = 'facts'
const signalGapMs = 50
const pruneEveryMs = 3_600_000

/** From one second to five minutes, doubling, a quarter up or down. */
const withJitter = (attempts: number) =>
  Math.min(300_000, 1_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)

export function createFacts(options: FactsOptions): Facts {
  const { knex, signals, log, listeners, keepDays = 30 } = options
  const { attempts = 20, backoff = withJitter, batch = 200, handlerMs = 30_000 } = options
  const { parallel = 3, pollMs = 2_000, gapMs = 20 } = options
  const delivery = createDelivery({ knex, log, listeners, attempts, backoff, limit: batch, handlerMs })
  const loop = createLoop({ knex, log, listeners, delivery, parallel, pollMs, gapMs })
  const heard = [signals.on(topic, loop.wake), signals.onChange(loop.wake)]
  let pruning: Promise<unknown> | undefined
  let pruner: NodeJS.Timeout | undefined
  let signal: NodeJS.Timeout | undefined
  let signalledAt = Number.NEGATIVE_INFINITY
  let closed = false

  /** The others matter only where a pack is on there alone: a few signals do for many facts. */
  function tellOthers() {
    signal ??= setTimeout(
      () => {
        signal = undefined
        signalledAt = performance.now()
        signals.send(topic)
      },
      Math.max(0, signalledAt + signalGapMs - performance.now())
    )
  }

  function recorded() {
    if (closed) return
    loop.wake()
    tellOthers()
  }

  const woken = new WeakSet<Trx>()
  function wakeAfter(trx: Trx) {
    let root = trx
    while (root.parentTransaction) root = root.parentTransaction as Trx
    if (woken.has(root)) return
    woken.add(root)
    root.executionPromise.then(recorded, () => undefined)
  }

  const pruneNow = () => prune(knex, keepDays)
  function schedulePrune(ms: number) {
    pruner = setTimeout(() => {
      pruning = pruneNow()
        .catch((error: unknown) => log.warn({ reason: (error as Error).name }, 'Old facts were not removed'))
        .finally(() => !closed && schedulePrune(pruneEveryMs))
    }, ms).unref()
  }

  async function progressed() {
    const { promise, resolve } = Promise.withResolvers<void>()
    using _ = loop.onProgress(resolve)
    const timer = setTimeout(resolve, gapMs + 30)
    loop.wake()
    await promise
    clearTimeout(timer)
  }

  return {
    async record(trx, name, by, details) {
      await run(trx, insertion(name, by, details))
      wakeAfter(trx)
    },
    row: insertion,
    recorded,
    async start() {
      if (await restore(knex)) log.warn('Facts and cursors of another server were fitted to this one')
      if (closed) return
      loop.start()
      schedulePrune(60_000 * (1 + Math.random()))
    },
    enlist: (packs) => enlist(knex, [...packs]),
    parked: (pack) => parked(knex, pack),
    replay: delivery.replay,
    forget: (pack) => forget(knex, pack),
    async settled() {
      const last = await newest(knex)
      while (last && !(await caughtUp(knex, loop.listening(), last))) {
        if (closed) throw new Error('Closed before the facts had settled')
        await progressed()
      }
    },
    prune: pruneNow,
    async close() {
      closed = true
      for (const it of heard) it[Symbol.dispose]()
      clearTimeout(pruner)
      clearTimeout(signal)
      await loop.close()
      await pruning
    }
  }
}
