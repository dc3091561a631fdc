import type { JobWithMetadata, PgBoss } from 'pg-boss'

export type Take = (job: JobWithMetadata<object>) => Promise<void>

/** The workers of one queue on this instance. */
export interface WorkerPool {
  /** None of them, when all are busy. */
  readonly idle: number
  /** Up to so many idle ones look for a job now; says how many. */
  wake(count: number): number
  /** At least so many from now on. */
  grow(size: number): Promise<void>
  /** No more than so many from now on; resolves when those who go have finished their jobs. */
  shrink(size: number): Promise<void>
}

/** Workers are woken when there is something to do; this is only for what was missed. */
const POLL_SECONDS = 60

interface Worker {
  id: string
  busy: boolean
}

export function createWorkerPool(boss: PgBoss, queue: string, take: Take, beatSeconds: number): WorkerPool {
  const workers: Worker[] = []
  let next = 0
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: POLL_SECONDS,
    heartbeatRefreshSeconds: beatSeconds
  } as const

  async function add() {
    const worker: Worker = { id: '', busy: false }
    workers.push(worker)
    worker.id = await boss.work<object, void, typeof options>(queue, options, async ([job]) => {
      worker.busy = true
      try {
        if (job) await take(job)
      } finally {
        worker.busy = false
        // There may be more where this one came from.
        boss.notifyWorker(worker.id)
      }
    })
  }

  return {
    get idle() {
      return workers.filter(({ busy }) => !busy).length
    },
    wake(count) {
      let woken = 0
      // In turns: one that was woken a moment ago is not busy yet.
      for (let asked = 0; asked < workers.length && woken < count; asked++) {
        const worker = workers[next++ % workers.length] as Worker
        if (worker.busy) continue
        boss.notifyWorker(worker.id)
        woken++
      }
      return woken
    },
    async grow(size) {
      while (workers.length < size) await add()
    },
    async shrink(size) {
      await Promise.all(workers.splice(size).map(({ id }) => boss.offWork(queue, { id, wait: true })))
    }
  }
}
