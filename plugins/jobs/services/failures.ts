import type { Kernel } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { JobWithMetadata } from 'pg-boss'

const MINUTE_MS = 60_000
const LONGEST = 500

/** What went wrong, without what an error may carry beside: it may be a secret, or the job's data. */
export const reasonOf = (error: unknown): string =>
  String((error as { message?: unknown } | undefined)?.message ?? error).slice(0, LONGEST)

/** Says what is wrong with the queues themselves, each thing once a minute at most. */
export function createComplaints(log: Kernel['log']) {
  const said = new LRUCache<string, true>({ max: 100, ttl: MINUTE_MS })
  return (error: unknown): void => {
    // pg-boss adds which of its workers it was.
    const reason = reasonOf(error).replace(/ \(Queue: [^()]*\)$/, '')
    if (said.has(reason)) return
    said.set(reason, true)
    log.warn({ reason }, 'jobs are in trouble')
  }
}

/** Says once, over all instances, that a job is not tried again. */
export const reportFailed =
  (log: Kernel['log']) =>
  async ({
    sourceName,
    sourceId,
    sourceRetryCount,
    sourceOutput
  }: JobWithMetadata<object>): Promise<void> => {
    const output = sourceOutput as { message?: string; value?: { message?: string } } | null
    const reason = output?.message ?? output?.value?.message
    const attempts = (sourceRetryCount ?? 0) + 1
    log.error({ queue: sourceName, job: sourceId, attempts, reason }, 'a job failed for good')
  }
