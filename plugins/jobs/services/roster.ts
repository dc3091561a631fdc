import type { Kernel } from 'agent-platform'
import type { PgBoss } from 'pg-boss'
import type { Crew } from './crew.ts'
import { reasonOf } from './failures.ts'
import type { Queues } from './queues.ts'
import { alignSchedules } from './schedules.ts'
import { misfitsOf, workersOf } from './workers.ts'

const SOON_MS = 1_000
const LATE_MS = 60_000

interface Deps extends Pick<Kernel, 'points' | 'hosting' | 'log'> {
  readonly boss: PgBoss
  readonly queues: Queues
  hire(queue: string): Crew
  complain(error: unknown): void
}

/** Who works here on what: as the packs that are on have it. */
export function createRoster({ boss, points, hosting, log, queues, hire, complain }: Deps) {
  const crews = new Map<string, Crew>()
  const leaving = new Set<Promise<void>>()
  let turn: Promise<void> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let patience = SOON_MS
  let closed = false

  const isOn = (pack: string) => hosting.mounted().some(({ name }) => name === pack)

  function dismiss(queue: string) {
    const gone = crews.get(queue)?.shrink(0)
    crews.delete(queue)
    if (!gone) return
    const left = gone.catch(complain).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  async function alignNow() {
    clearTimeout(retry)
    const workers = workersOf(points)
    for (const queue of crews.keys()) if (!workers.has(queue)) dismiss(queue)
    for (const misfit of misfitsOf(points)) log.error({ misfit }, 'a worker must be called <pack>.<queue>')
    const faults: string[] = []
    const fault = (queue: string, error: unknown) => faults.push(`${queue}: ${reasonOf(error)}`)
    await queues.align(workers, fault)
    await alignSchedules(boss, workers, isOn, fault)
    for (const [queue, { concurrency = 1 }] of workers) {
      if (closed) return
      const crew = crews.get(queue) ?? hire(queue)
      crews.set(queue, crew)
      await crew.grow(concurrency)
      // Those who go finish their jobs; nobody waits for them here.
      crew.shrink(concurrency).catch(complain)
    }
    if (faults.length > 0) throw new Error(faults.join('; '))
    patience = SOON_MS
  }

  function alignLater(error: unknown) {
    complain(error)
    if (closed) return
    patience = Math.min(patience * 2, LATE_MS)
    retry = setTimeout(align, patience).unref()
  }

  /** In turn, and again later when it fails; never rejects. */
  function align(): Promise<void> {
    turn = turn.then(() => (closed ? undefined : alignNow())).catch(alignLater)
    return turn
  }

  return {
    align,
    crews: crews as ReadonlyMap<string, Crew>,
    /** Nobody here takes another job until it is aligned again; resolves when the last one is over. */
    async dismissAll(): Promise<void> {
      turn = turn.then(() => crews.keys().forEach(dismiss))
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
