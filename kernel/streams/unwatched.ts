import type { Queue } from './writer.ts'

/** Gathers what is queued for streams that nobody is known to follow: it is flushed `ms` after it began. */
export function createUnwatched(enqueue: (queue: Queue) => void, ms: number) {
  const queues = new Set<Queue>()
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    for (const queue of queues) enqueue(queue)
    queues.clear()
  }

  return {
    add(queue: Queue): void {
      queues.add(queue)
      timer ??= setTimeout(flush, ms)
    },
    flush
  }
}
