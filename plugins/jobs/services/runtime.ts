import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import type { JobWithMetadata } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import type { JobSettings } from '../settings.ts'
import { overPool } from '../stores/connections.ts'
import type { JobStore } from '../stores/jobs.ts'
import { GROUP } from '../stores/jobs.ts'
import type { ScheduleStore } from '../stores/schedules.ts'
import type { Deliveries } from './delivery.ts'
import { createDelivery } from './delivery.ts'
import { createComplaints, reasonOf, reportFailed } from './failures.ts'
import { createPoller } from './poller.ts'
import { createQueues, FAILED } from './queues.ts'
import { createWorkerPool } from './worker-pool.ts'
import { createWorkerRegistry } from './worker-registry.ts'

export interface RuntimeDeps
  extends Pick<Kernel, 'knex' | 'hot' | 'log' | 'points' | 'signals' | 'packs' | 'advance'> {
  readonly settings: JobSettings
  readonly jobStore: JobStore
  readonly scheduleStore: ScheduleStore
}

/** Of pg-boss's own routines: how often, where its defaults do not do. */
const SELDOM_SECONDS = 86_400
const HOUR_SECONDS = 3_600
const CRON_SECONDS = 5

async function openBoss(
  { knex, hot, settings }: RuntimeDeps,
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
export async function openRuntime(deps: RuntimeDeps, deliveries: Deliveries) {
  const { log, signals, advance, settings, jobStore, scheduleStore } = deps
  const complain = createComplaints(log)
  const boss = await openBoss(deps, complain)
  const queues = createQueues(boss, jobStore, settings)
  const active = new Map<string, JobWithMetadata<object>>()
  const beat = settings.lostAfterSeconds / 3
  const poolFor = (queue: string) => createWorkerPool(boss, queue, take, beat)
  const registry = createWorkerRegistry({ ...deps, boss, queues, poolFor, complain })
  const failed = createWorkerPool(boss, FAILED, reportFailed(log), beat)
  const poolOf = (queue: string) => (queue === FAILED ? failed : registry.pools.get(queue))
  const poller = createPoller({
    boss,
    settings,
    jobStore,
    scheduleStore,
    signals,
    complain,
    remind,
    poolOf,
    served,
    active
  })

  async function remind(queue: string): Promise<void> {
    await queues.ensure(queue)
    if (await boss.send(queue, {}, { singletonKey: 'due', group: { id: GROUP } })) poller.wake(queue, 1)
  }

  function served(): readonly string[] {
    return [FAILED, ...registry.pools.keys()]
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
        // What lies in the record beside the message is for no other eyes.
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
    if (outcome === 'unserved') void registry.align()
    else if (outcome === 'untaken') void registry.releaseAll()
    signals.send(poller.topic, job.name)
  }

  await failed.grow(1)
  poller.start()

  return {
    boss,
    ensure: queues.ensure,
    align: registry.align,
    wake: poller.wake,
    /** Lets jobs that run finish for a while; then others get them. */
    async close(): Promise<void> {
      poller.stop()
      await registry.close()
      const drain = new AbortController()
      const drained = delay(settings.drainSeconds * 1_000, undefined, drain).catch(() => undefined)
      await Promise.race([registry.releaseAll(), drained])
      drain.abort()
      for (const job of active.values()) await jobStore.updateToWait(job.name, job).catch(complain)
      await boss.stop({ graceful: false, close: false }).catch(complain)
    }
  }
}
export type JobRuntime = Awaited<ReturnType<typeof openRuntime>>
