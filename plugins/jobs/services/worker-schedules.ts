import type { PgBoss } from 'pg-boss'
import type { Worker } from '../contract.ts'
import { GROUP } from '../stores/jobs.ts'
import { checkCron } from './cron.ts'

/**
 * Schedules follow `cron` of the workers. The schedule of a pack that is off stays: its beats become one job
 * that waits, and an instance where a pack failed must not end what the others do.
 */
export async function alignSchedules(
  boss: PgBoss,
  workers: ReadonlyMap<string, Worker>,
  isOn: (pack: string) => boolean,
  fault: (queue: string, error: unknown) => void
): Promise<void> {
  const there = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
  for (const [queue, { cron }] of workers)
    try {
      if (cron === undefined || there.get(queue) === cron) continue
      checkCron(cron, 'UTC', { cron, timezone: 'UTC' })
      await boss.schedule(queue, cron, null, { missed: 'once', group: { id: GROUP } })
    } catch (error) {
      fault(queue, error)
    }
  for (const queue of there.keys())
    if (!workers.get(queue)?.cron && isOn(queue.slice(0, queue.indexOf('.')))) await boss.unschedule(queue)
}
