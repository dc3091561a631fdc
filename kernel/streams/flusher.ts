import { setTimeout as delay } from 'node:timers/promises'
import type { Record } from './record.ts'
import { isAtFault } from './record.ts'
import type { Row } from './stream.ts'
import type { Queue } from './writer.ts'

/** Characters of one statement. */
const statementSize = 4 * 1_048_576
/** Milliseconds between two tries while the database is away. */
const pause = 100

interface Item {
  readonly queue: Queue
  readonly row: Row
}

interface Options extends Pick<Record, 'append'> {
  /** Of all streams that are written here now. */
  readonly queues: () => Iterable<Queue>
  readonly patienceMs: number
  readonly unwatchedMs: number
}

/**
 * Writes what all streams of the process have queued: one statement at a time; what is queued meanwhile goes
 * into the next one. While the database is away it tries again, until patience ends.
 */
export function createFlusher({ append, queues, patienceMs, unwatchedMs }: Options) {
  let dirty = new Set<Queue>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let failingSince: number | undefined

  function start() {
    // What the streams of one turn were told goes into one statement.
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run)
  }

  async function run() {
    for (let items = gather(); items.length; items = gather()) await write(items)
    failingSince = undefined
    running = undefined
  }

  function gather(): Item[] {
    const items: Item[] = []
    let size = 0
    const waiting = dirty
    // A set that is filled and emptied all the time would leave tables behind that V8 keeps for long.
    dirty = new Set()
    for (const queue of waiting) {
      const row = size < statementSize ? queue.take() : undefined
      if (row) {
        items.push({ queue, row })
        size += row.body.length
      } else if (size >= statementSize) dirty.add(queue)
    }
    return items
  }

  async function write(items: readonly Item[]): Promise<void> {
    try {
      const written = await append(items.map((item) => item.row))
      failingSince = undefined
      for (const { queue } of items) {
        if (written.has(queue.id)) queue.settled()
        else queue.lose()
      }
    } catch (error) {
      if (!isAtFault(error)) await waitOut(items)
      else if (items.length > 1) for (const item of items) await write([item])
      else items[0]?.queue.lose()
    }
  }

  async function waitOut(items: readonly Item[]) {
    failingSince ??= performance.now()
    const lost = performance.now() - failingSince >= patienceMs
    for (const { queue } of items) {
      if (lost) queue.lose()
      else dirty.add(queue)
    }
    if (lost) failingSince = undefined
    await delay(pause)
  }

  function flushUnwatched() {
    clearTimeout(timer)
    timer = undefined
    for (const queue of queues()) dirty.add(queue)
    start()
  }

  return {
    enqueue(queue: Queue, later: boolean): void {
      // Not noted: most runs end before, and all of that time would be held, and copied by each collection.
      if (later) timer ??= setTimeout(flushUnwatched, unwatchedMs)
      else {
        dirty.add(queue)
        start()
      }
    },
    /** Resolves when nothing is queued. */
    async idle(): Promise<void> {
      flushUnwatched()
      while (running) await running
    }
  }
}
