import type { PgBoss } from 'pg-boss'
import type { Worker } from '../contract.ts'
import type { JobSettings } from '../settings.ts'
import type { JobStore } from '../stores/jobs.ts'
import { checkQueue } from './workers.ts'

/** Where jobs go that are not tried again. */
export const FAILED = 'jobs.failed'

const RETRIES = 5
const TIMEOUT_SECONDS = 300
const LONGEST_BACKOFF_SECONDS = 300
const HOUR_SECONDS = 3_600
/** A job without a worker waits: ten years. */
const WAITS_SECONDS = 10 * 365 * 24 * HOUR_SECONDS
/** Of jobs with one key one waits. */
const POLICY = 'short'

/** After which pg-boss itself takes a silent worker for gone; ours is usually shorter. */
const heartbeatSeconds = (settings: JobSettings) => Math.max(10, Math.ceil(settings.lostAfterSeconds))

/** The queues in the record: made when they are first needed, by a sender or a worker. */
export function createQueues(boss: PgBoss, jobStore: JobStore, settings: JobSettings) {
  const known = new Map<string, Promise<void>>()

  const optionsOf = (worker?: Worker) => ({
    retryLimit: worker?.retries ?? RETRIES,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: LONGEST_BACKOFF_SECONDS,
    expireInSeconds: worker?.timeoutSeconds ?? TIMEOUT_SECONDS,
    heartbeatSeconds: heartbeatSeconds(settings),
    retentionSeconds: WAITS_SECONDS,
    deleteAfterSeconds: settings.keepHours * HOUR_SECONDS,
    deadLetter: FAILED
  })

  /** Makes it if it is not there, for transactions that may have taken all connections: on one of the hot path. */
  function ensure(queue: string): Promise<void> {
    const found = known.get(checkQueue(queue))
    if (found) return found
    const made = jobStore.insertQueue(queue, { policy: POLICY, ...optionsOf() })
    known.set(queue, made)
    made.catch(() => known.delete(queue))
    return made
  }

  /** As these workers want it; what was sent before keeps what held then. */
  async function align(workers: ReadonlyMap<string, Worker>, fault: (queue: string, error: unknown) => void) {
    const there = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const queue of there.keys()) known.set(queue, Promise.resolve())
    for (const [queue, worker] of workers)
      try {
        const options = optionsOf(worker)
        const found = there.get(queue)
        if (!found) await boss.createQueue(queue, { policy: POLICY, ...options })
        else if (!has(found, options)) await boss.updateQueue(queue, options)
      } catch (error) {
        fault(queue, error)
      }
  }

  return { ensure, align }
}
export type Queues = ReturnType<typeof createQueues>

const has = (found: object, wanted: object) =>
  Object.entries(wanted).every(([name, value]) => (found as Record<string, unknown>)[name] === value)
