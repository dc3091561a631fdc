import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Schedule, Worker } from '../contract.ts'
import type { ScheduleRow, ScheduleStore, Timing } from '../stores/schedules.ts'
import { checkCron, nextTime } from './cron.ts'
import type { JobService } from './jobs.ts'
import { checkQueue } from './workers.ts'

interface Deps extends Pick<Kernel, 'transaction'> {
  scheduleStore: ScheduleStore
  jobService: JobService
}
type Key = Pick<Schedule, 'project' | 'id'>

const BEAT = 'jobs.beat'
/** By then the job about a beat has had all its tries. */
const GRACE_SECONDS = 300

export function createScheduleService({ transaction, scheduleStore, jobService }: Deps) {
  /** The table says when the next beat is; jobs only remind, so one is enough. */
  const remind = ({ project, id }: Key, options: { trx?: Trx; at?: Date }) =>
    jobService.send(BEAT, { project, id }, { ...options, key: `${project}/${id}` })

  const schedules: Jobs['schedules'] = {
    async set(trx, { data = {}, ...schedule }, params) {
      checkQueue(schedule.queue)
      const timing = { cron: null, timezone: 'UTC', everyMinutes: null, ...schedule }
      if (timing.cron !== null) checkCron(timing.cron, timing.timezone, params)
      const nextAt = timeAfter(timing, new Date())
      await scheduleStore.insert(trx, { ...timing, data, nextAt })
      await remind(schedule, { trx, at: nextAt })
    },
    check: checkCron,
    remove: (trx, project, id) => scheduleStore.remove(trx, { project, id }),
    nextAt: (project, id) => scheduleStore.findNextAt({ project, id })
  }

  const beat = (key: Key) =>
    transaction(async (trx) => {
      const schedule = await scheduleStore.findLocked(trx, key)
      if (!schedule) return
      // It was set anew in the meantime.
      if (!schedule.isDue) return remind(key, { trx, at: new Date(schedule.nextAt) })
      const job = await send(trx, schedule)
      // A clock that was set back gives no time again.
      const due = new Date(schedule.nextAt)
      const nextAt = timeAfter(schedule, new Date(Math.max(Date.now(), due.getTime())), due)
      await scheduleStore.update(trx, key, { job, nextAt })
      await remind(key, { trx, at: nextAt })
    })

  /** Unless the beat before still waits or runs: one that falls into it is left out. */
  async function send(trx: Trx, { queue, data, job, nextAt }: ScheduleRow): Promise<string | null> {
    if (job !== null && (await jobService.isOpen(trx, queue, job))) return job
    return jobService.post(queue, { ...data, dueAt: new Date(nextAt).toISOString() }, { trx })
  }

  /** Beats that were due while no instance was there to send them. */
  async function remindOverdue(graceSeconds: number): Promise<void> {
    for await (const batch of scheduleStore.listOverdue(graceSeconds))
      for (const key of batch) await remind(key, {})
  }

  const worker: Worker = { concurrency: 4, work: (data) => beat(data as Key) }
  return {
    schedules,
    beat: worker,
    remindOverdue: () => remindOverdue(GRACE_SECONDS),
    resume: () => remindOverdue(0)
  }
}

/** The first time after `now`; of an interval, of those that follow `due`. */
function timeAfter({ cron, timezone, everyMinutes }: Timing, now: Date, due = now): Date {
  if (cron !== null) return nextTime(cron, timezone, now)
  const step = (everyMinutes ?? 1) * 60_000
  const steps = Math.floor((now.getTime() - due.getTime()) / step) + 1
  return new Date(due.getTime() + steps * step)
}
