import type { Kernel } from 'agent-platform'
import type { PgBoss } from 'pg-boss'
import type { JobSettings } from '../settings.ts'
import type { JobStore } from '../stores/jobs.ts'
import type { ScheduleStore } from '../stores/schedules.ts'
import type { WorkerPool } from './worker-pool.ts'

interface Deps extends Pick<Kernel, 'signals'> {
  readonly boss: PgBoss
  readonly settings: JobSettings
  readonly jobStore: JobStore
  readonly scheduleStore: ScheduleStore
  complain(error: unknown): void
  poolOf(queue: string): WorkerPool | undefined
  /** Adds a job, unless one with the same key waits. */
  remind(queue: string): Promise<void>
  /** Queues with a worker here. */
  served(): readonly string[]
  /** Jobs that run here, by id. */
  readonly active: ReadonlyMap<string, unknown>
}

const SENT = 'jobs.sent'
/** Takes what is due of schedules. */
const BEAT = 'jobs.beat'
/** Sets anew what was set while the clock was ahead. */
const CLOCK = 'jobs.clock'
/** So many looks, and what the clock was before this process began is asked. */
const LOOKS = 20
const DAY_MS = 86_400_000
/** A timer may be early by a millisecond, and clocks differ a little. */
const LATE_MS = 5

/**
 * Wakes workers when there is something for them: at once after a job was sent, here if a worker is idle, else
 * elsewhere; and once a second one statement finds what has become due, and what was lost, in all queues. So
 * many queues cost an idle platform no more than one.
 */
export function createPoller(deps: Deps) {
  const { boss, settings, jobStore, scheduleStore, signals, complain, remind, poolOf, served, active } = deps
  const { pollSeconds, lostAfterSeconds } = settings
  const pollMs = pollSeconds * 1_000
  const sent = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let subscription: Disposable | undefined
  let stopped = false
  let looks = 0
  /** The latest time that the clock of the database has shown. */
  let latest = 0

  function wake(queue: string, count: number) {
    if (sent.size === 0) setImmediate(flush)
    sent.set(queue, (sent.get(queue) ?? 0) + count)
  }

  function flush() {
    for (const [queue, count] of sent)
      if ((poolOf(queue)?.wake(count) ?? 0) < count) signals.send(SENT, queue)
    sent.clear()
  }

  /** A clock that was a day ahead, or more, and was put right leaves times behind that will not come for long. */
  async function watch(now: Date) {
    const wasAhead =
      latest - now.getTime() > DAY_MS || (looks++ % LOOKS === 0 && (await jobStore.findAhead()))
    if (wasAhead) await remind(CLOCK)
    latest = wasAhead ? now.getTime() : Math.max(latest, now.getTime())
  }

  async function look() {
    const { now, projects } = await scheduleStore.findDue()
    if (projects.length > 0) await remind(BEAT)
    await watch(now)
    const queues = served()
    const idle = queues.filter((queue) => poolOf(queue)?.idle)
    for (const { queue, ...found } of await jobStore.listPressing(idle, queues, lostAfterSeconds)) {
      if (stopped) return
      if (found.id === null) poolOf(queue)?.wake(Number.POSITIVE_INFINITY)
      // Its worker is here: what is silent is this whole process, and it just woke up.
      else if (!active.has(found.id)) await boss.fail(queue, found, { message: 'Its worker is gone' })
    }
  }

  async function beat() {
    await look().catch(complain)
    if (!stopped) timer = setTimeout(beat, untilNext())
  }

  /** At whole seconds, when schedules are due. */
  const untilNext = () => pollMs - (Date.now() % pollMs) + LATE_MS

  return {
    topic: SENT,
    wake,
    start() {
      subscription = signals.on(SENT, (queue) => void poolOf(String(queue))?.wake(1))
      timer = setTimeout(beat, untilNext())
    },
    stop() {
      stopped = true
      subscription?.[Symbol.dispose]()
      clearTimeout(timer)
    }
  }
}
