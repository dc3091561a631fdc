import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import type { JobWithMetadata } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import type { JobSettings } from '../settings.ts'
import { overPool } from '../stores/connections.ts'
import type { JobStore } from '../stores/jobs.ts'
import { createCrew } from './crew.ts'
import type { Deliveries } from './delivery.ts'
import { createDelivery } from './delivery.ts'
import { createComplaints, reasonOf, reportFailed } from './failures.ts'
import { createPulse } from './pulse.ts'
import { createQueues, FAILED } from './queues.ts'
import { createRoster } from './roster.ts'

export interface DeskDeps
  extends Pick<Kernel, 'knex' | 'hot' | 'log' | 'points' | 'signals' | 'hosting' | 'advance'> {
  readonly settings: JobSettings
  readonly jobStore: JobStore
}

/** Of pg-boss's own routines: how often, where its defaults do not do. */
const SELDOM_SECONDS = 86_400
const HOUR_SECONDS = 3_600
const CRON_SECONDS = 5

async function openBoss(
  { knex, hot, settings }: DeskDeps,
  complain: (error: unknown) => void
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: overPool(knex, hot),
    schema: 'pgboss',
    cronMonitorIntervalSeconds: settings.cronSeconds,
    cronWorkerIntervalSeconds: Math.min(settings.cronSeconds, CRON_SECONDS),
    maintenanceIntervalSeconds: HOUR_SECONDS,
    // Jobs that wait for other jobs: not used.
    flowIntervalSeconds: SELDOM_SECONDS
  })
  boss.on('error', complain).on('warning', complain)
  try {
    await boss.start()
    await boss.createQueue(FAILED, { deleteAfterSeconds: settings.keepHours * HOUR_SECONDS })
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}

/**
 * This process's pg-boss and those who work for it. It outlives the generations of packs, and holds nothing of
 * them: a job finds its handler when it comes.
 */
export async function openDesk(deps: DeskDeps, deliveries: Deliveries) {
  const { log, signals, advance, settings, jobStore } = deps
  const complain = createComplaints(log)
  const boss = await openBoss(deps, complain)
  const queues = createQueues(boss, jobStore, settings)
  const active = new Map<string, JobWithMetadata<object>>()
  const beat = settings.lostAfterSeconds / 3
  const hire = (queue: string) => createCrew(boss, queue, take, beat)
  const roster = createRoster({ ...deps, boss, queues, hire, complain })
  const failed = createCrew(boss, FAILED, reportFailed(log), beat)
  const crewOf = (queue: string) => (queue === FAILED ? failed : roster.crews.get(queue))
  const pulse = createPulse({ boss, settings, jobStore, signals, complain, crewOf, served, active })

  function served(): readonly string[] {
    return [FAILED, ...roster.crews.keys()]
  }

  async function take(job: JobWithMetadata<object>): Promise<void> {
    const { name: queue, id: jobId, retryCount, retryLimit } = job
    const id = randomUUID()
    const delivery = createDelivery(queue, job.data)
    const { promise: cut, reject } = Promise.withResolvers<never>()
    const onAbort = () => {
      delivery.abort()
      reject(new Error('It took too long, or was lost to another instance'))
    }
    job.signal.addEventListener('abort', onAbort)
    active.set(jobId, job)
    deliveries.set(id, delivery)
    try {
      await Promise.race([advance('deliver', id), cut])
    } catch (error) {
      // Not even begun: the pack itself went.
      if (delivery.outcome !== 'untaken') {
        const reason = reasonOf(error)
        if (retryCount < retryLimit)
          log.warn({ queue, job: jobId, attempt: retryCount + 1, reason }, 'a job failed and is tried again')
        // What lies in the record beside the message is nobody's business.
        throw Object.assign(new Error(reason), { stack: undefined })
      }
    } finally {
      job.signal.removeEventListener('abort', onAbort)
      active.delete(jobId)
      deliveries.delete(id)
    }
    if (delivery.outcome !== 'done') await giveBack(job, delivery.outcome)
  }

  async function giveBack(job: JobWithMetadata<object>, outcome: string) {
    await jobStore.updateToWait(job.name, job).catch(complain)
    if (outcome === 'unserved') void roster.align()
    else if (outcome === 'untaken') void roster.dismissAll()
    signals.send(pulse.topic, job.name)
  }

  await failed.grow(1)
  pulse.start()

  return {
    boss,
    ensure: queues.ensure,
    align: roster.align,
    wake: pulse.wake,
    /** Lets jobs that run finish for a while; then others get them. */
    async close(): Promise<void> {
      pulse.stop()
      await roster.close()
      const patience = new AbortController()
      const tired = delay(settings.drainSeconds * 1_000, undefined, patience).catch(() => undefined)
      await Promise.race([roster.dismissAll(), tired])
      patience.abort()
      for (const job of active.values()) await jobStore.updateToWait(job.name, job).catch(complain)
      await boss.stop({ graceful: false, close: false }).catch(complain)
    }
  }
}
export type Desk = Awaited<ReturnType<typeof openDesk>>
