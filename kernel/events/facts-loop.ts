import { setTimeout as delay } from 'node:timers/promises'
import type { Probe } from './facts-cursor.ts'
import { findHolder, probe } from './facts-cursor.ts'
import type { Delivery, FactsOptions } from './facts-delivery.ts'
import { reasonOf, usualPace } from './facts-delivery.ts'

/** Packs that are delivered to at once, each on a connection of the pool. */
const parallel = 3
/** Until facts above the horizon are worth another look. */
const aboveMs = 50
/** So many between two looks are a stream, and no chain of one after another: the next ones are gathered, each time for longer. */
const many = 5
const longer = 1.5
/** Of the time, a delivery takes no more than one part in so many, as long as that keeps no fact waiting for longer than a stream does. */
const share = 5
const woken = new Error('Something was recorded')

/** Looks for facts to deliver whenever something was recorded, and now and then. */
export function createLoop({ knex, hot, log, listeners, pace }: FactsOptions, deliver: Delivery['deliver']) {
  const { pollMs, gapMs, gatherMs, batch, stuckMs } = { ...usualPace, ...pace }
  const busy = new Map<string, Promise<void>>()
  let alarm = new AbortController()
  let gathered = new AbortController()
  let heard = 0
  let gap = gapMs
  let took = 0
  let running: Promise<void> | undefined
  let closed = false
  let away = false
  let stuck = { horizon: '', since: 0, isLogged: false }

  // With a reason, for the one that is made otherwise costs as much as a request.
  const wake = () => alarm.abort(woken)

  function lookNow() {
    gathered.abort(woken)
    wake()
  }

  function hear(count: number) {
    heard += count
    if (heard < batch) wake()
    else lookNow()
  }

  async function run() {
    while (!closed) {
      alarm = new AbortController()
      gathered = new AbortController()
      heard = 0
      const ms = await look()
      await delay(gapMs)
      // A look and a delivery cost as much for one fact as for many.
      gap = heard < many ? gapMs : Math.min(gap * longer, gatherMs)
      const rest = Math.min(took * (share - 1), gatherMs)
      took = 0
      await wait(Math.max(gap, rest) - gapMs, gathered)
      await wait(ms, alarm)
    }
  }

  const wait = (ms: number, { signal }: AbortController) =>
    delay(closed ? 0 : ms, undefined, { signal }).catch(() => undefined)

  /** Milliseconds until the next look, unless something happens before. */
  async function look(): Promise<number> {
    try {
      const listening = [...listeners()].map(([pack, { names }]) => ({ pack, names: [...names] }))
      const found = await probe(hot, listening)
      for (const pack of found.due) {
        if (busy.size < parallel && !busy.has(pack)) busy.set(pack, serve(pack, found.horizon))
      }
      await tellWhenStuck(found)
      away = false
      return found.above ? aboveMs : pollMs
    } catch (error) {
      if (!away) log.warn({ reason: reasonOf(error) }, 'Facts cannot be delivered now')
      away = true
      return pollMs
    }
  }

  async function serve(pack: string, horizon: string) {
    const startedAt = performance.now()
    try {
      // The instance that has the cursor looks for more when it is done.
      if (await deliver(pack, horizon)) wake()
    } catch (error) {
      log.warn({ pack, reason: reasonOf(error) }, 'Facts could not be delivered')
    } finally {
      busy.delete(pack)
      took = Math.max(took, performance.now() - startedAt)
    }
  }

  async function tellWhenStuck({ above, horizon }: Probe) {
    const now = performance.now()
    if (!above || horizon !== stuck.horizon) stuck = { horizon, since: now, isLogged: false }
    if (stuck.isLogged || now - stuck.since < stuckMs) return
    stuck.isLogged = true
    const holder = await findHolder(knex, horizon)
    log.warn({ transaction: horizon, ...holder }, 'Facts wait for a transaction that has been open for long')
  }

  return {
    /** Looks soon; many calls within a moment are one. */
    wake,
    /** So many were recorded: looks soon, and in a stream of them a little later. */
    hear,
    /** Looks soon, though they come in a stream. */
    lookNow,
    start() {
      running ??= run()
    },
    /** Finishes what is under way. */
    async close() {
      closed = true
      lookNow()
      await running
      await Promise.all(busy.values())
    }
  }
}
