import { randomUUID } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../contract.ts'
import type { JobStore } from '../stores/jobs.ts'
import type { DueSchedule, ScheduleStore, Timing } from '../stores/schedules.ts'
import { checkCron, nextTime } from './cron.ts'
import type { JobService, NewJob } from './jobs.ts'
import { checkQueue } from './workers.ts'

interface Deps extends Pick<Kernel, 'transaction'> {
  scheduleStore: ScheduleStore
  jobService: JobService
  jobStore: JobStore
}

/** What is due, and when it will be again; null: never. */
interface Beat extends DueSchedule {
  readonly following: Date | null
}

/** Beats of a project that one transaction sends. */
const BATCH = 200
const DAY_MS = 86_400_000

export function createScheduleService({ transaction, scheduleStore, jobService, jobStore }: Deps) {
  const schedules: Jobs['schedules'] = {
    async set(trx, { data = {}, together = null, ...schedule }, params) {
      checkQueue(schedule.queue)
      const { at, ...timed } = { at: undefined, ...schedule }
      const timing = { cron: null, timezone: 'UTC', everyMinutes: null, ...timed }
      if (timing.cron !== null) checkCron(timing.cron, timing.timezone, params)
      const now = await scheduleStore.findNow(trx)
      const nextAt = at ?? (timeAfter(timing, now) as Date)
      await scheduleStore.insert(trx, { ...timing, together, data, nextAt })
      return nextAt
    },
    check: checkCron,
    remove: (trx, project, id) => scheduleStore.remove(trx, { project, id }),
    nextAt: (project, id, trx) => scheduleStore.findNextAt({ project, id }, trx)
  }

  /** The table says what is due; several that look at once share it. */
  async function beat(signal: AbortSignal): Promise<void> {
    for (const project of (await scheduleStore.findDue()).projects)
      while (!signal.aborted && (await transaction((trx) => beatSome(trx, project))) === BATCH);
  }

  async function beatSome(trx: Trx, project: string): Promise<number> {
    const due = (await scheduleStore.takeDue(trx, project, BATCH)).map(
      (schedule): Beat => ({ ...schedule, following: nextAfter(schedule) })
    )
    if (due.length === 0) return 0
    const open = await jobStore.listOpen(trx, due)
    // Unless the beat before still waits or runs: one that falls into it is left out.
    const sent = await send(
      trx,
      due.filter(({ job }) => job === null || !open.has(job))
    )
    const changes = due.map(({ id, job, following }) => ({
      id,
      job: sent.get(id) ?? job,
      nextAt: following
    }))
    await scheduleStore.updateBeaten(trx, project, changes)
    return due.length
  }

  /** Gives the job of each schedule. */
  async function send(trx: Trx, due: readonly Beat[]): Promise<ReadonlyMap<string, string>> {
    const jobs = new Map<string, string>()
    const queues = Map.groupBy(due, ({ queue, together }) => `${queue} ${together}`)
    for (const alike of queues.values()) {
      const { queue, together } = alike[0] as Beat
      const size = together ?? 1
      const posted: NewJob[] = []
      for (let from = 0; from < alike.length; from += size) {
        const group = alike.slice(from, from + size)
        const beats = group.map(({ data, nextAt, following }) => ({
          ...data,
          dueAt: nextAt.toISOString(),
          ...(together !== null && { nextAt: following?.toISOString() ?? null })
        }))
        const id = randomUUID()
        posted.push({ id, data: together === null ? (beats[0] as object) : { beats } })
        for (const schedule of group) jobs.set(schedule.id, id)
      }
      await jobService.postAll(trx, queue, posted)
    }
    return jobs
  }

  /** After the clock was ahead: what would come a day later than by what it shows now, or more, is set anew. */
  async function setAnew(signal: AbortSignal): Promise<void> {
    const now = await transaction((trx) => scheduleStore.findNow(trx))
    for await (const batch of scheduleStore.listFar()) {
      signal.throwIfAborted()
      for (const schedule of batch) {
        const nextAt = timeAfter(schedule, now, schedule.nextAt) as Date
        if (schedule.nextAt.getTime() - nextAt.getTime() > DAY_MS)
          await scheduleStore.updateNextAt(schedule, nextAt)
      }
    }
    await jobStore.updateAhead()
  }

  const worker: Worker = { concurrency: 2, work: (_, signal) => beat(signal) }
  const clock: Worker = { work: (_, signal) => setAnew(signal) }
  return { schedules, beat: worker, clock }
}

/** Null where there is none any more. A clock that was set back gives no time again. */
function nextAfter({ now, nextAt, ...timing }: DueSchedule): Date | null {
  return timeAfter(timing, new Date(Math.max(now.getTime(), nextAt.getTime())), nextAt)
}

/** The first time after `now`; of an interval, of those that follow `due`; null of what comes once. */
function timeAfter({ cron, timezone, everyMinutes }: Timing, now: Date, due = now): Date | null {
  if (cron !== null) return nextTime(cron, timezone, now)
  if (everyMinutes === null) return null
  const step = everyMinutes * 60_000
  const steps = Math.floor((now.getTime() - due.getTime()) / step) + 1
  return new Date(due.getTime() + steps * step)
}
