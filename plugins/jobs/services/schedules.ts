import { randomUUID } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../contract.ts'
import type { JobStore } from '../stores/jobs.ts'
import type { DueSchedule, FarSchedule, ScheduleStore, Timing } from '../stores/schedules.ts'
import { checkCron, nextTime } from './cron.ts'
import { reasonOf } from './failures.ts'
import type { JobService, NewJob } from './jobs.ts'
import { checkQueue } from './workers.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  scheduleStore: ScheduleStore
  jobService: JobService
  jobStore: JobStore
}

/** A schedule that is due. */
interface Beat extends DueSchedule {
  /** When it is due again; null: never. */
  readonly following: Date | null
  /** Whether it is due only for another calculation of its next time, which failed before. */
  readonly isRetry: boolean
}

/** Beats of a project that one transaction sends. */
const BATCH = 200
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export function createScheduleService({ transaction, log, scheduleStore, jobService, jobStore }: Deps) {
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
    nextAt: async (project, id, trx) => (await scheduleStore.findNext({ project, id }, trx))?.at,
    errorOf: async (project, id) => (await scheduleStore.findNext({ project, id }))?.error ?? null
  }

  /** The table says what is due; several that look at once share it. A project that fails does not hold up others. */
  async function beat(signal: AbortSignal): Promise<void> {
    const errors: unknown[] = []
    for (const project of (await scheduleStore.findDue()).projects)
      try {
        while (!signal.aborted && (await transaction((trx) => beatSome(trx, project))) === BATCH);
      } catch (error) {
        log.error({ err: error, project }, 'the schedules of a project could not be processed')
        errors.push(error)
      }
    if (errors.length > 0) throw errors[0]
  }

  async function beatSome(trx: Trx, project: string): Promise<number> {
    const due = (await scheduleStore.takeDue(trx, project, BATCH)).map(calculated)
    if (due.length === 0) return 0
    const open = await jobStore.listOpen(trx, due)
    // Unless the beat before still waits or runs: one that falls into it is left out.
    const sent = await send(
      trx,
      due.filter((it) => (it.job === null || !open.has(it.job)) && (!it.isRetry || it.together !== null))
    )
    const changes = due.map(({ id, job, following, error }) => ({
      id,
      job: sent.get(id) ?? job,
      nextAt: following,
      error
    }))
    await scheduleStore.updateBeaten(trx, project, changes)
    return due.length
  }

  /** With the next time, or with the reason why it could not be calculated. */
  function calculated(schedule: DueSchedule): Beat {
    const isRetry = schedule.error !== null
    try {
      return { ...schedule, following: nextAfter(schedule), error: null, isRetry }
    } catch (thrown) {
      const error = reasonOf(thrown)
      const { id, queue, cron, timezone, now } = schedule
      if (!isRetry)
        log.error(
          { schedule: id, queue, cron, timezone, reason: error },
          'the next time of a schedule could not be calculated; it is retried every hour'
        )
      return { ...schedule, following: new Date(now.getTime() + HOUR_MS), error, isRetry }
    }
  }

  /** Returns the job of each schedule. */
  async function send(trx: Trx, due: readonly Beat[]): Promise<ReadonlyMap<string, string>> {
    const jobs = new Map<string, string>()
    const queues = Map.groupBy(due, ({ queue, together }) => `${queue} ${together}`)
    for (const alike of queues.values()) {
      const { queue, together } = alike[0] as Beat
      const size = together ?? 1
      const posted: NewJob[] = []
      for (let from = 0; from < alike.length; from += size) {
        const group = alike.slice(from, from + size)
        const beats = group.map(({ data, nextAt, following, error, isRetry }) => ({
          ...data,
          dueAt: nextAt.toISOString(),
          ...(together !== null && { nextAt: following?.toISOString() ?? null, error, isRetry })
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
        const nextAt = calculatedAfter(schedule, now)
        if (nextAt && schedule.nextAt.getTime() - nextAt.getTime() > DAY_MS)
          await scheduleStore.updateNextAt(schedule, nextAt)
      }
    }
    await jobStore.updateAhead()
  }

  /** Undefined where it cannot be calculated: that is reported when the schedule is due. */
  function calculatedAfter(schedule: FarSchedule, now: Date): Date | undefined {
    try {
      return timeAfter(schedule, now, schedule.nextAt) as Date
    } catch {
      return undefined
    }
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
