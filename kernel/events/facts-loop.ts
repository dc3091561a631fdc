import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { createHearers } from '../data/hearers.ts'
import type { Listening, Probe } from './facts-cursor.ts'
import { enlist, probe, skip } from './facts-cursor.ts'
import type { Delivery, Listeners, Outcome } from './facts-delivery.ts'
import { reasonOf } from './facts-held.ts'
import { createSlots } from './facts-slots.ts'

/** Looks for facts to deliver whenever something was recorded, and now and then. */
export interface Loop {
  /** Looks soon; many calls within a moment are one. */
  wake(): void
  start(): void
  /** What the packs listen to now. */
  listening(): Listening[]
  /** After each look and each delivery. */
  onProgress(hear: () => void): Disposable
  /** Finishes what is under way. */
  close(): Promise<void>
}

interface LoopOptions {
  readonly knex: Knex
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly listeners: () => Listeners
  readonly delivery: Delivery
  /** Packs that are delivered to at once, each on a connection of the pool. */
  readonly parallel: number
  /** Milliseconds between two looks when nothing wakes it. */
  readonly pollMs: number
  /** Milliseconds between two looks at least, so that facts of many transactions make one batch. */
  readonly gapMs: number
}

/** An older transaction has been open for so long that it is worth telling which ones matter. */
const stuckMs = 1_000
const busyElsewhereMs = 100

export function createLoop({ knex, log, listeners, delivery, parallel, pollMs, gapMs }: LoopOptions): Loop {
  const slots = createSlots(parallel)
  const progress = createHearers<void>('deliveries', log)
  /** Below `horizon` nothing is left for the pack, as long as it listens to the same names. */
  const seen = new Map<string, { names: ReadonlySet<string>; horizon: string }>()
  const wait = { horizon: '', since: 0, ms: 0, warned: false }
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let look: Promise<void> | undefined
  /** A look was due while another was under way. */
  let again = false
  let lookedAt = 0
  let skippedAt = 0
  let failures = 0
  let started = false
  let closed = false

  function schedule(ms: number) {
    if (!started || closed) return
    const at = Math.max(performance.now() + ms, lookedAt + gapMs)
    if (at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(onTimer, Math.max(0, at - performance.now()))
  }

  function onTimer() {
    timerAt = Number.POSITIVE_INFINITY
    if (look) {
      again = true
      return
    }
    look = lookAround().then(() => {
      look = undefined
      schedule(again ? 0 : pollMs)
      again = false
      progress.tell()
    })
  }

  function listening(current = listeners()): Listening[] {
    return [...current]
      .filter(([, { names }]) => names.size > 0)
      .map(([pack, { names }]) => {
        const known = seen.get(pack)
        return { pack, names: [...names], seen: known?.names === names ? known.horizon : '0' }
      })
  }

  async function lookAround() {
    lookedAt = performance.now()
    try {
      const current = listeners()
      const packs = listening(current)
      const exact = wait.horizon !== '' && lookedAt - wait.since > stuckMs
      const found = await probe(knex, packs, exact)
      if (found.missing.length > 0) await enlist(knex, found.missing)
      await act(current, packs, found)
      if (failures > 0) log.info('Facts are delivered again')
      failures = 0
    } catch (error) {
      failed(error)
    }
  }

  async function act(current: Listeners, packs: readonly Listening[], found: Probe) {
    const note = (pack: string) =>
      seen.set(pack, { names: current.get(pack)?.names ?? new Set(), horizon: found.horizon })
    for (const { pack, seen: from } of packs) {
      const [retries, isDue] = [found.retry.includes(pack), found.due.includes(pack)]
      if (!isDue && !found.missing.includes(pack)) note(pack)
      if (!isDue && !retries) continue
      // Both in turn, so that neither held facts nor new ones starve the others.
      deliver(pack, async () => {
        const retried = retries ? await delivery.retry(pack) : 'done'
        const delivered = isDue ? await drain(() => delivery.deliver(pack, from, found.horizon)) : 'done'
        if (isDue && delivered === 'done') note(pack)
        return retried === 'elsewhere' ? retried : delivered
      })
    }
    schedule(Math.min(pollMs, found.retryIn ?? pollMs, waitFor(found)))
    if (found.missing.length > 0) schedule(0)
    if (lookedAt - skippedAt < pollMs) return
    skippedAt = lookedAt
    const idle = packs.filter(({ pack }) => !found.due.includes(pack) && !slots.has(pack))
    await skip(
      knex,
      idle.map(({ pack }) => pack),
      found.horizon
    )
  }

  /** Milliseconds until facts above the horizon are worth another look. */
  function waitFor({ above, horizon }: Probe): number {
    if (!above || horizon !== wait.horizon) {
      Object.assign(wait, { horizon: above ? horizon : '', since: performance.now(), ms: 5, warned: false })
    }
    if (!above) return pollMs
    if (performance.now() - wait.since > 30 * stuckMs && !wait.warned) {
      wait.warned = true
      log.warn({ transaction: horizon }, 'Facts wait for a transaction that has been open for long')
    }
    wait.ms = Math.min(500, wait.ms * 2)
    return wait.ms
  }

  async function drain(work: () => Promise<Outcome>): Promise<Outcome> {
    for (;;) {
      const outcome = await work()
      if (outcome !== 'more' || closed) return outcome
    }
  }

  function deliver(pack: string, work: () => Promise<Outcome>) {
    slots.run(pack, async () => {
      try {
        schedule((await work()) === 'elsewhere' ? busyElsewhereMs : 0)
      } catch (error) {
        failed(error, pack)
      }
      progress.tell()
    })
  }

  function failed(error: unknown, pack?: string) {
    if (closed) return
    if (failures === 0) log.warn({ pack, reason: reasonOf(error) }, 'Facts cannot be delivered now')
    failures++
    schedule(Math.min(pollMs, 50 * 2 ** failures))
  }

  return {
    wake: () => schedule(0),
    start() {
      started = true
      schedule(0)
    },
    listening: () => listening(),
    onProgress: progress.add,
    async close() {
      closed = true
      clearTimeout(timer)
      await look
      await slots.idle()
    }
  }
}
