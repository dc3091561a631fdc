import { randomUUID } from 'node:crypto'
import type { Trx } from 'agent-platform'
import { fromKnex } from 'pg-boss'
import type { JobOptions } from '../contract.ts'
import { GROUP } from '../stores/jobs.ts'
import type { Dispatcher } from './dispatcher.ts'

const OPEN = new Set(['created', 'retry', 'active', 'blocked'])

export type JobService = ReturnType<typeof createJobService>

export function createJobService({ dispatcher }: { dispatcher: Dispatcher }) {
  /**
   * In the caller's transaction, if one is given; a job that waits with the same key is replaced. Gives the id of a job
   * without a key.
   */
  async function post(queue: string, data: object, { trx, at, key }: JobOptions): Promise<string | null> {
    const { boss, ensure, wake } = dispatcher.runtime()
    await ensure(queue)
    const on = trx && { db: fromKnex(trx) }
    const startAfter = at ?? 0
    const singletonKey = key || randomUUID()
    const options = { ...on, startAfter, singletonKey, group: { id: GROUP } }
    // What waits may be taken between the two: then there is room for another.
    let id: string | null = null
    while (!id) {
      id = await boss.send(queue, data, options)
      if (id) break
      const { updated } = await boss.update(queue, data, { ...on, startAfter, singletonKey })
      if (updated > 0) break
    }
    if (at && at.getTime() > Date.now()) return id
    if (trx)
      trx.executionPromise?.then(
        () => wake(queue),
        () => undefined
      )
    else wake(queue)
    return id
  }

  async function send(queue: string, data: object, options: JobOptions = {}): Promise<void> {
    await post(queue, data, options)
  }

  /** Whether a job waits, runs, or is to be tried again. */
  async function isOpen(trx: Trx, queue: string, id: string): Promise<boolean> {
    const job = await dispatcher.runtime().boss.getJobById(queue, id, { db: fromKnex(trx) })
    return job !== null && OPEN.has(job.state)
  }

  return { send, post, isOpen }
}
