import { setTimeout as delay } from 'node:timers/promises'
import type { Record } from './record.ts'
import { keyOf } from './record.ts'
import type { Row } from './stream.ts'
import type { Queue } from './writer.ts'

/** Chunks and characters of one statement. */
const statementChunks = 1000
const statementSize = 4 * 1_048_576
/** Milliseconds between two tries while the database is away. */
const firstPause = 20
const longestPause = 1000

interface Item {
  readonly queue: Queue
  readonly row: Row
}

/** SQLSTATE classes that say that the chunk itself is at fault: trying it again cannot help. */
const atFault = new Set(['22', '23', '42', '54'])
const isAtFault = (error: unknown) =>
  error instanceof Error && 'code' in error && atFault.has(String(error.code).slice(0, 2))

/**
 * Writes what all streams of the process have queued: one statement at a time; what is queued meanwhile goes
 * into the next one. While the database is away it tries again; a stream that could not be written for
 * `patience` milliseconds is lost.
 */
export function createFlusher(record: Pick<Record, 'append' | 'find'>, patience: number, now: () => number) {
  const dirty = new Set<Queue>()
  const failing = new Map<Queue, number>()
  let running: Promise<void> | undefined
  let pause = firstPause

  function gather(): Item[] {
    const items: Item[] = []
    let size = 0
    for (const queue of dirty) {
      if (items.length >= statementChunks || size >= statementSize) break
      dirty.delete(queue)
      const row = queue.take()
      if (!row) {
        failing.delete(queue)
        continue
      }
      items.push({ queue, row })
      size += row.body.length
    }
    return items
  }

  async function run() {
    for (let items = gather(); items.length; items = gather()) await write(items)
    running = undefined
  }

  async function write(items: readonly Item[]): Promise<void> {
    let refused: Item[]
    try {
      const inserted = await record.append(items.map((item) => item.row))
      refused = items.length === inserted.size ? [] : items.filter((item) => !inserted.has(keyOf(item.row)))
      for (const item of items) if (!refused.includes(item)) settle(item)
    } catch (error) {
      await fail(items, error)
      return
    }
    pause = firstPause
    for (const item of refused) await judge(item)
  }

  function settle({ queue, row }: Item) {
    if (failing.size) failing.delete(queue)
    queue.settled(row)
  }

  function lose({ queue }: Item) {
    failing.delete(queue)
    queue.lose()
  }

  // After a lost connection nobody knows whether the chunk was committed: the second try is refused then.
  async function judge(item: Item) {
    try {
      if ((await record.find(item.row)) === 'own') settle(item)
      else lose(item)
    } catch (error) {
      await fail([item], error)
    }
  }

  async function fail(items: readonly Item[], error: unknown): Promise<void> {
    if (isAtFault(error)) {
      const [only] = items
      if (only && items.length === 1) return lose(only)
      for (const item of items) await write([item])
      return
    }
    for (const item of items) {
      const since = failing.get(item.queue) ?? now()
      failing.set(item.queue, since)
      if (now() - since >= patience) lose(item)
      else dirty.add(item.queue)
    }
    await delay(pause)
    pause = Math.min(pause * 2, longestPause)
  }

  return {
    enqueue(queue: Queue): void {
      dirty.add(queue)
      running ??= Promise.resolve().then(run)
    },
    /** Resolves when nothing is queued. */
    async idle(): Promise<void> {
      while (running) await running
    }
  }
}
type Flusher = ReturnType<typeof createFlusher>
