import type { Kernel, Trx } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import type { Jobs, Wait, Waiter, Worker } from '../contract.ts'
import type { WaitStore } from '../stores/waits.ts'
import type { JobService } from './jobs.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'points'> {
  waitStore: WaitStore
  jobService: JobService
}

/** What a job about a deadline says; `missed`: how often no waiter was there. */
interface Due {
  readonly project: string
  readonly id: string
  readonly missed?: number
}

const DEADLINE = 'jobs.deadline'
/** Another instance may have the pack that this one has not: so often a job looks for one. */
const LOOKS = 4
/** By then a job about the deadline has had all its tries. */
const GRACE_SECONDS = 300
const KEPT_DAYS = 7

export function createWaitService({ transaction, points, waitStore, jobService }: Deps) {
  const waiters = () => new Map(points.all('jobs.waiter').map(({ key = '', value }) => [key, value]))

  /** The table says what waits; jobs only remind, so one is enough. */
  const remind = ({ project, id, missed }: Due, options: { trx?: Trx; at?: Date; inSeconds?: number }) =>
    jobService.send(
      DEADLINE,
      { project, id, ...(missed && { missed }) },
      { ...options, key: `${project}/${id}` }
    )

  const waits: Jobs['waits'] = {
    async open(trx, wait) {
      await waitStore.insert(trx, wait)
      await remind(wait, { trx, at: wait.deadline })
    },
    async settle(trx, project, id) {
      if (await waitStore.settleAnswered(trx, project, id)) return
      if (!(await waitStore.find(trx, project, id))) throw notFound('Wait')
      throw conflict('It was settled already, or came too late', { code: 'already_settled' })
    },
    expire: waitStore.settleExpired,
    abandon: waitStore.settleOfSubject
  }

  async function tell(waiter: Waiter, wait: Wait) {
    await waiter.expired(wait)
    // It did not fail, so it is not called again, whatever it made of it.
    await transaction((trx) => waitStore.settleExpired(trx, wait.project, wait.id))
  }

  async function meet({ project, id, missed = 0 }: Due): Promise<void> {
    const wait = await waitStore.findOpen(project, id)
    if (!wait) return
    const waiter = waiters().get(wait.waiter)
    if (waiter) return tell(waiter, wait)
    if (missed < LOOKS) await remind({ project, id, missed: missed + 1 }, { inSeconds: 2 ** missed })
  }

  /** Waits whose deadline passed while no waiter was there, or whose waiter failed. */
  async function remindOverdue(graceSeconds: number): Promise<void> {
    const here = [...waiters().keys()]
    if (here.length === 0) return
    for await (const batch of waitStore.listOverdue(here, graceSeconds))
      for (const wait of batch) await remind(wait, {})
  }

  async function removeOld() {
    while ((await waitStore.removeSettled(KEPT_DAYS)) > 0);
  }

  const deadline: Worker = { concurrency: 4, work: (data) => meet(data as Due) }
  const overdue: Worker = { cron: '*/5 * * * *', work: () => remindOverdue(GRACE_SECONDS) }
  const cleanup: Worker = { cron: '17 * * * *', work: removeOld }

  /** In every generation: a waiter may have come back. */
  const resume = () => remindOverdue(0)

  return { waits, deadline, overdue, cleanup, resume }
}
