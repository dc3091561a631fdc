import { randomInt } from 'node:crypto'
import { createBuffer } from './buffer.ts'
import { createHandout } from './handout.ts'
import { lostFailure } from './lost.ts'
import type { Row, Writer } from './stream.ts'

/** Events a chunk of the automatic flush. */
const chunkEvents = 256
/** Characters that a stream may queue while its writes fail. */
const backlog = 8 * 1_048_576
/** Characters that an unwatched stream queues before it is flushed all the same. */
const unwatchedSize = 65_536

/** What a writer's surroundings do for it. */
export interface Port {
  /** Flush it in this turn; `later`: soon will do, for nobody is known to read. */
  enqueue(queue: Queue, later: boolean): void
  /** The row is durable; `byOwner` when a statement of the caller's committed it. */
  durable(row: Row, byOwner: boolean): void
  /** It writes no more: ended, lost or released. */
  gone(queue: Queue): void
  find(row: Row): Promise<'own' | 'foreign' | 'none'>
}

/** A writer as flusher and readers see it. */
export interface Queue extends Writer {
  /** The chunk that is to be written: the same one until `settled` or `lose`. */
  take(): Row | undefined
  settled(row: Row): void
  /** Another process has it, or its events cannot be written: what is queued is forgotten. */
  lose(): void
  /** From now on it is flushed in the turn in which it was appended to. */
  watch(): void
  /** The last chunk that became durable here. */
  readonly recent: Row | undefined
}

interface Start {
  readonly project: string
  readonly stream: string
  readonly idField: string
  readonly after?: number
  readonly writer?: number
  readonly watched?: boolean
}

interface Waiter {
  readonly seq: number
  resolve(): void
  reject(error: unknown): void
}

export const drawWriter = (): number => randomInt(1, 2 ** 31 - 1)

export function createWriter(start: Start, port: Port): Queue {
  const { project, stream, idField, after = -1, writer = drawWriter() } = start
  const buffer = createBuffer(idField, stream, after + 1)
  let watched = start.watched ?? false
  let durable = after
  let flight: Row | undefined
  let recent: Row | undefined
  let queued = false
  let state: 'open' | 'ending' | 'ended' | 'lost' = 'open'
  let waiters: Waiter[] = []

  function writable() {
    if (state === 'lost') throw lostFailure()
    if (state !== 'open') throw new Error('The stream has ended')
  }

  function wanted() {
    if (buffer.size > backlog) {
      self.lose()
      throw lostFailure()
    }
    if (queued || handout.held || buffer.empty) return
    const roomy = buffer.events < chunkEvents && buffer.size < unwatchedSize
    const later = !watched && state === 'open' && !waiters.length && roomy
    queued = !later
    port.enqueue(self, later)
  }

  function cut(limit: number): Row {
    const taken = buffer.cut(limit)
    return { project, stream, writer, ...taken, ended: state === 'ending' && buffer.empty }
  }

  function settle(row: Row, byOwner: boolean) {
    durable = row.last
    recent = row
    if (row.ended) state = 'ended'
    port.durable(row, byOwner)
    const reached = waiters.filter((waiter) => waiter.seq <= durable)
    if (reached.length) waiters = waiters.filter((waiter) => waiter.seq > durable)
    for (const waiter of reached) waiter.resolve()
    if (row.ended) port.gone(self)
    else wanted()
  }

  function reached(seq: number): Promise<void> {
    if (seq <= durable) return Promise.resolve()
    if (state === 'lost') return Promise.reject(lostFailure())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiters.push({ seq, resolve, reject })
    if (state !== 'ended') wanted()
    return promise
  }

  const handout = createHandout(buffer, {
    writable,
    landed: () => (flight ? reached(flight.last) : Promise.resolve()),
    ending(is) {
      state = is ? 'ending' : 'open'
    },
    cut: () => cut(Infinity),
    settled: (row) => settle(row, true),
    lose: () => self.lose(),
    wanted,
    find: port.find
  })

  const self: Queue = {
    project,
    stream,
    get durable() {
      return durable
    },
    get recent() {
      return recent
    },
    append(type, fields) {
      writable()
      const seq = buffer.append({ type, fields })
      wanted()
      return seq
    },
    token(content, phase) {
      writable()
      buffer.token(content, phase)
      wanted()
    },
    chunk: handout.chunk,
    async end(type, fields) {
      writable()
      const seq = buffer.append({ type, fields })
      state = 'ending'
      await reached(seq)
    },
    flushed() {
      buffer.seal()
      return reached(buffer.last)
    },
    async release() {
      await self.flushed()
      self.lose()
    },
    take() {
      queued = false
      if (flight) return flight
      if (handout.held || buffer.empty) return undefined
      flight = cut(chunkEvents)
      return flight
    },
    settled(row) {
      if (state === 'lost') return
      flight = undefined
      settle(row, false)
    },
    lose() {
      if (state === 'lost' || state === 'ended') return
      state = 'lost'
      flight = undefined
      buffer.clear()
      const waiting = waiters
      waiters = []
      for (const waiter of waiting) waiter.reject(lostFailure())
      handout.free()
      port.gone(self)
    },
    watch() {
      if (watched) return
      watched = true
      wanted()
    }
  }
  return self
}
