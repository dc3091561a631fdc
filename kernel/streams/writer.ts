import { randomInt } from 'node:crypto'
import type { Trx } from '../database/transaction.ts'
import { createBuffer } from './buffer.ts'
import type { Taken } from './commit.ts'
import { createCommit, streamLost } from './commit.ts'
import { insertChunk } from './record.ts'
import type { EventInput, Row, Writer } from './stream.ts'

/** Characters that a stream may queue while its writes fail. */
const backlog = 8 * 1_048_576

/** What a writer's surroundings do for it. */
interface Port {
  /** Flush it in this turn; `later`: soon will do, for nobody is known to read. */
  enqueue(queue: Queue, later: boolean): void
  /** The row is durable; `byOwner` when a statement of the caller's committed it. */
  durable(row: Row, byOwner: boolean): void
  /** It writes no more: ended, lost or released. */
  gone(queue: Queue): void
  /** Whether that very chunk lies in the record, or another one at its place; undefined when none does. */
  find(row: Row): Promise<boolean | undefined>
  /** Writes it in a transaction; false when another one has its place. */
  insert(trx: Trx, row: Row): Promise<boolean>
  /** How long a commit may fail: not at all once the process closes. */
  readonly patienceMs: number
}

/** A writer as flusher and readers see it. */
export interface Queue extends Writer {
  /** Tells its chunks from those of another writer. */
  readonly id: number
  /** The last chunk that became durable here. */
  readonly recent: Row | undefined
  /** The chunk that is to be written: the same one until `settled` or `lose`. */
  take(): Row | undefined
  settled(): void
  /** Another process has it, or its events cannot be written: what is queued is forgotten. */
  lose(): void
  /** It has a reader: from now on it is flushed in the turn in which it was appended to. */
  watch(): void
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export function createWriter(
  { project, stream, idField, after }: { project: string; stream: string; idField: string; after?: number },
  port: Port
): Queue {
  const id = randomInt(1, 2 ** 31 - 1)
  const buffer = createBuffer(idField, stream, (after ?? -1) + 1, true)
  // Who reads a stream that is taken over told its last writer.
  let watched = after !== undefined
  /** What is being written, by the flusher or by a statement of the owner's. */
  let flight: Row | undefined
  let byOwner = false
  /** Commits that wait for their turn. */
  let asking = 0
  let state: 'open' | 'ending' | 'ended' | 'lost' = 'open'
  let change: PromiseWithResolvers<void> | undefined

  /** Resolves when a chunk came to its end, or the writer to its own. */
  function changed() {
    change ??= Promise.withResolvers<void>()
    return change.promise
  }

  function wake() {
    change?.resolve()
    change = undefined
    wanted()
  }

  function writable() {
    if (state === 'lost') throw streamLost()
    if (state !== 'open') throw new Error('The stream has ended')
  }

  function wanted() {
    // What is being written leaves in any case.
    if (buffer.size() - (flight?.body.length ?? 0) > backlog) {
      lose()
      throw streamLost()
    }
    if (flight || asking || buffer.empty()) return
    port.enqueue(self, !watched && !change && state === 'open' && !buffer.full())
  }

  function cut(all: boolean): Row {
    const events = buffer.peek(all)
    return {
      project,
      stream,
      writer: id,
      ...events,
      ended: state === 'ending' && events.last === buffer.last()
    }
  }

  function settled() {
    if (!flight) return
    const row = flight
    flight = undefined
    buffer.settle(row.last)
    self.recent = row
    self.durable = row.last
    if (row.ended) state = 'ended'
    port.durable(row, byOwner)
    if (row.ended) port.gone(self)
    wake()
  }

  function lose() {
    if (state === 'lost' || state === 'ended') return
    state = 'lost'
    flight = undefined
    buffer.clear()
    port.gone(self)
    wake()
  }

  async function reached(seq: number) {
    while (self.durable < seq) {
      if (state === 'lost') throw streamLost()
      const next = changed()
      wanted()
      await next
    }
  }

  function handOut(row: Row, events: number): Taken {
    const once = (outcome: () => void) => () => {
      if (flight === row) outcome()
    }
    function failed() {
      if (events > 0 && buffer.last() !== row.last) return lose()
      flight = undefined
      buffer.undo(events)
      if (row.ended) state = 'open'
      wake()
    }
    async function unsure() {
      const own = await port.find(row)
      if (own) once(settled)()
      if (own !== false) return own === true
      once(lose)()
      throw streamLost()
    }
    const outcomes = { settled: once(settled), refused: once(lose), failed: once(failed), unsure }
    async function insert(trx: Trx) {
      if (!(await port.insert(trx, row))) throw streamLost()
    }
    return { row, fragment: insertChunk(row), insert, ...outcomes }
  }

  /** Holds the automatic flush, waits for the write in flight, appends `events` and takes what is queued. */
  async function takeAll(ended: boolean, events: readonly EventInput[]): Promise<Taken> {
    asking++
    try {
      while (flight) await changed()
      writable()
      for (const event of events) buffer.append(event)
      if (buffer.empty()) throw new Error('There is nothing to write')
      if (ended) state = 'ending'
      byOwner = true
      flight = cut(true)
      return handOut(flight, events.length)
    } finally {
      asking--
      wanted()
    }
  }

  const self: Mutable<Queue> = {
    project,
    stream,
    id,
    durable: after ?? -1,
    recent: undefined,
    append(type, fields) {
      writable()
      buffer.append({ type, fields })
      wanted()
      return buffer.last()
    },
    token(content, phase) {
      writable()
      const seq = buffer.token(content, phase)
      wanted()
      return seq
    },
    commit: createCommit(takeAll, port),
    async end(type, fields) {
      writable()
      buffer.append({ type, fields })
      state = 'ending'
      await reached(buffer.last())
    },
    flushed() {
      buffer.seal()
      return reached(buffer.last())
    },
    release: () => self.flushed().then(lose),
    take() {
      if (flight) return byOwner ? undefined : flight
      if (asking || buffer.empty()) return undefined
      byOwner = false
      flight = cut(false)
      return flight
    },
    settled,
    lose,
    watch() {
      watched = true
      wanted()
    }
  }
  return self
}
