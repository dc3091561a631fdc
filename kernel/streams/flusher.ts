import { setTimeout as delay } from 'node:timers/promises'
import type { Record } from './record.ts'
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
  readonly patienceMs: number
  readonly unwatchedMs: number
}

/** SQLSTATE classes that say that a chunk itself is at fault: trying it again cannot help. */
const atFault = new Set(['21', '22', '23', '42', '54'])
const isAtFault = (error: unknown) =>
  error instanceof Error && 'code' in error && atFault.has(String(error.code).slice(0, 2))

/**
 * Writes what all streams of the process have queued: one statement at a time; what is queued meanwhile goes
 * into the next one. While the database is away it tries again, until patience ends.
 */
export function createFlusher({ append, patienceMs, unwatchedMs }: Options) {
  const dirty = new Set<Queue>()
  const unwatched = new Set<Queue>()
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
    for (const queue of dirty) {
      if (size >= statementSize) break
      dirty.delete(queue)
      unwatched.delete(queue)
      const row = queue.take()
      if (!row) continue
      items.push({ queue, row })
      size += row.body.length
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
    for (const queue of unwatched) dirty.add(queue)
    unwatched.clear()
    start()
  }

  return {
    enqueue(queue: Queue, later: boolean): void {
      if (later) {
        unwatched.add(queue)
        timer ??= setTimeout(flushUnwatched, unwatchedMs)
      } else {
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
