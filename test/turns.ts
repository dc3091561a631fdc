import type { PerformanceEntry } from 'node:perf_hooks'
import { PerformanceObserver } from 'node:perf_hooks'
import type { Test } from 'tap'
import type { Booted } from './boot.ts'
import { pace } from './cpu.ts'

interface Turn {
  readonly from: number
  readonly to: number
  readonly cpu: number
}

/** What could be longer than a turn may be. */
const LEAST_MS = 10

/**
 * For how long a turn may keep others waiting, in milliseconds of CPU time: many times what strangers' work may take of one,
 * since a machine that is busy with other things spends more on the same, and more yet on one that is slow.
 */
export const longestTurnMs = () => 100 * pace()

/** A turn in which the machine did something else is not the work's: what the work needs, it needs each time. */
const TRIES = 4

/**
 * Asserts that what `begin` begins keeps others waiting for no longer than a turn may, by the best of a few tries, and
 * gives what came of the last one.
 */
export async function inShortTurns<T>(
  t: Test,
  begin: () => Promise<T>,
  name = 'this thread goes on'
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const work = begin()
    const { alone } = await longestTurn(work)
    const most = longestTurnMs()
    if (alone > most && tries < TRIES) continue
    t.ok(alone <= most, `${name}: ${alone.toFixed(1)} ms at a time, of ${most.toFixed(0)}`)
    return work
  }
}

/**
 * The longest that this thread worked without a turn for others, in milliseconds of its own CPU time, however busy the
 * machine is: with the collections of garbage that fell into it (`whole`), and by the work alone.
 */
export async function longestTurn(work: Promise<unknown>): Promise<{ whole: number; alone: number }> {
  let isOver = false
  void work.finally(() => (isOver = true)).catch(() => undefined)
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const turns: Turn[] = [{ from: 0, to: 0, cpu: 0 }]
  for (let since = spent(), from = performance.now(); !isOver; ) {
    await new Promise(setImmediate)
    const [now, to] = [spent(), performance.now()]
    if (now - since > LEAST_MS) turns.push({ from, to, cpu: now - since })
    since = now
    from = to
  }
  // Collections are told a turn later than they were.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
  observer.disconnect()
  const collecting = ({ from, to }: Turn) =>
    collections
      .filter(({ startTime: at }) => at >= from && at < to)
      .reduce((sum, { duration }) => sum + duration, 0)
  return {
    whole: Math.max(...turns.map(({ cpu }) => cpu)),
    alone: Math.max(...turns.map((turn) => turn.cpu - collecting(turn)))
  }
}

/** For how many seconds a transaction has held its connection and its locks without a statement. */
export async function heldBy({ platform }: Booted): Promise<number> {
  const { rows } = await platform.knex.raw(
    `select extract(epoch from max(now() - xact_start)) as age from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`
  )
  return Number(rows[0].age ?? 0)
}
