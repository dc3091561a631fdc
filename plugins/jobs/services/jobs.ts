import { randomUUID } from 'node:crypto'
import { fromKnex } from 'pg-boss'
import type { JobOptions } from '../contract.ts'
import { GROUP } from '../stores/jobs.ts'
import type { DutyService } from './duty.ts'

export type JobService = ReturnType<typeof createJobService>

export function createJobService({ dutyService }: { dutyService: DutyService }) {
  /** In the caller's transaction, if one is given; a job that waits with the same key is replaced. */
  async function send(queue: string, data: object, { trx, at, key }: JobOptions = {}): Promise<void> {
    const { boss, ensure, wake } = dutyService.desk()
    await ensure(queue)
    const on = trx && { db: fromKnex(trx) }
    const startAfter = at ?? 0
    const singletonKey = key || randomUUID()
    const options = { ...on, startAfter, singletonKey, group: { id: GROUP } }
    // What waits may be taken between the two: then there is room for another.
    while ((await boss.send(queue, data, options)) === null) {
      const { updated } = await boss.update(queue, data, { ...on, startAfter, singletonKey })
      if (updated > 0) break
    }
    if (at && at.getTime() > Date.now()) return
    if (trx)
      trx.executionPromise?.then(
        () => wake(queue),
        () => undefined
      )
    else wake(queue)
  }

  return { send }
}
