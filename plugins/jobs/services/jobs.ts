import { randomUUID } from 'node:crypto'
import type { Trx } from 'agent-platform'
import { afterCommit } from 'agent-platform'
import { fromKnex } from 'pg-boss'
import type { JobOptions } from '../contract.ts'
import { GROUP } from '../stores/jobs.ts'
import type { Dispatcher } from './dispatcher.ts'

export type JobService = ReturnType<typeof createJobService>

/** One of many that are sent at once. */
export interface NewJob {
  readonly id: string
  readonly data: object
}

export function createJobService({ dispatcher }: { dispatcher: Dispatcher }) {
  /** In the caller's transaction, if one is given; a job that waits with the same key is replaced. */
  async function send(
    queue: string,
    data: object,
    { trx, at, inSeconds = 0, key }: JobOptions = {}
  ): Promise<void> {
    const { boss, ensure, wake } = dispatcher.runtime()
    await ensure(queue)
    const on = trx && { db: fromKnex(trx) }
    const startAfter = at ?? inSeconds
    const singletonKey = key || randomUUID()
    const options = { ...on, startAfter, singletonKey, group: { id: GROUP } }
    // What waits may be taken between the two: then there is room for another.
    while (!(await boss.send(queue, data, options))) {
      const { updated } = await boss.update(queue, data, { ...on, startAfter, singletonKey })
      if (updated > 0) break
    }
    if (inSeconds > 0 || (at && at.getTime() > Date.now())) return
    if (trx) afterCommit(trx, () => wake(queue, 1))
    else wake(queue, 1)
  }

  /** Many, due now. */
  async function postAll(trx: Trx, queue: string, jobs: readonly NewJob[]): Promise<void> {
    const { boss, ensure, wake } = dispatcher.runtime()
    await ensure(queue)
    const inserted = jobs.map((job) => ({ ...job, singletonKey: job.id, group: { id: GROUP } }))
    await boss.insert(queue, inserted, { db: fromKnex(trx) })
    afterCommit(trx, () => wake(queue, jobs.length))
  }

  return { send, postAll }
}
