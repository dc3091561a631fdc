import type { Kernel } from 'agent-platform'
import type { PgBoss } from 'pg-boss'
import { reasonOf } from './failures.ts'
import type { Queues } from './queues.ts'
import type { WorkerPool } from './worker-pool.ts'
import { alignSchedules } from './worker-schedules.ts'
import { misfitsOf, workersOf } from './workers.ts'

const SOON_MS = 1_000
const LATE_MS = 60_000

interface Deps extends Pick<Kernel, 'points' | 'packs' | 'log'> {
  readonly boss: PgBoss
  readonly queues: Queues
  poolFor(queue: string): WorkerPool
  complain(error: unknown): void
}

/** Who works here on what: as the packs that are on have it. */
export function createWorkerRegistry({ boss, points, packs, log, queues, poolFor, complain }: Deps) {
  const pools = new Map<string, WorkerPool>()
  const leaving = new Set<Promise<void>>()
  let turn: Promise<void> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let backoff = SOON_MS
  let closed = false

  const isOn = (pack: string) => packs.mounted().some(({ name }) => name === pack)

  function release(queue: string) {
    const gone = pools.get(queue)?.shrink(0)
    pools.delete(queue)
    if (!gone) return
    const left = gone.catch(complain).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  async function alignNow() {
    clearTimeout(retry)
    const workers = workersOf(points)
    for (const queue of pools.keys()) if (!workers.has(queue)) release(queue)
    for (const misfit of misfitsOf(points)) log.error({ misfit }, 'a worker must be called <pack>.<queue>')
    const faults: string[] = []
    const fault = (queue: string, error: unknown) => faults.push(`${queue}: ${reasonOf(error)}`)
    await queues.align(workers, fault)
    await alignSchedules(boss, workers, isOn, fault)
    for (const [queue, { concurrency = 1 }] of workers) {
      if (closed) return
      const pool = pools.get(queue) ?? poolFor(queue)
      pools.set(queue, pool)
      await pool.grow(concurrency)
      // Workers that go finish their jobs; that is not waited for here.
      pool.shrink(concurrency).catch(complain)
    }
    if (faults.length > 0) throw new Error(faults.join('; '))
    backoff = SOON_MS
  }

  function alignLater(error: unknown) {
    complain(error)
    if (closed) return
    backoff = Math.min(backoff * 2, LATE_MS)
    retry = setTimeout(align, backoff).unref()
  }

  /** In turn, and again later when it fails; never rejects. */
  function align(): Promise<void> {
    turn = turn.then(() => (closed ? undefined : alignNow())).catch(alignLater)
    return turn
  }

  return {
    align,
    pools: pools as ReadonlyMap<string, WorkerPool>,
    /** No worker here takes another job until it is aligned again; resolves when the last one is over. */
    async releaseAll(): Promise<void> {
      turn = turn.then(() => pools.keys().forEach(release))
      await turn
      await Promise.all(leaving)
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(retry)
      await turn
    }
  }
}
