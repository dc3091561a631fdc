import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Hot } from '../data/hot.ts'
import { eventParts } from './buffer.ts'
import { createFeeds } from './feeds.ts'
import { createFlusher } from './flusher.ts'
import { createFollow } from './follow.ts'
import { createRecord, keyOf, manyChunks } from './record.ts'
import { createServer } from './sse.ts'
import type { Streams } from './stream.ts'
import { createUnwatched } from './unwatched.ts'
import type { Port, Queue } from './writer.ts'
import { createWriter, drawWriter } from './writer.ts'

export { channel } from './record.ts'
export type { Chunk, Phase, Row, Said, Streams, Writer } from './stream.ts'

/** Topics of signals: a stream is followed by a process that does not write it; a stream was removed. */
const followed = 'streams.followed'
const removed = 'streams.removed'

export interface Options {
  readonly hot: Hot
  readonly signals: {
    send(topic: string, data?: unknown): void
    on(topic: string, hear: (data: unknown) => void): Disposable
  }
  /** Milliseconds since some moment. */
  readonly now?: () => number
  readonly keepAliveMs?: number
  /** How long a connection may stay full, in milliseconds. */
  readonly drainMs?: number
  /** How long writes may fail before a stream is lost, in milliseconds. */
  readonly patienceMs?: number
  /** Greatest age of what is queued for a stream that nobody is known to follow, in milliseconds. */
  readonly unwatchedMs?: number
  /** How often the record is looked at while no notifications arrive, in milliseconds. */
  readonly pollMs?: number
  /** Called when a request begins to be answered with a stream; `close` ends that. */
  readonly onServe?: (request: FastifyRequest, close: () => void) => void
}

/** Streams of one process, and what the kernel tells them. */
export interface Log {
  readonly streams: Streams
  /** A notification of `channel`. */
  heard(payload: string): void
  /** No notifications arrive any more: followers look into the record until `restored`. So it begins. */
  lost(): void
  restored(): void
  /** Lets readers go and writes what is queued. */
  close(): Promise<void>
}

export function createStreams({
  hot,
  signals,
  now = () => performance.now(),
  keepAliveMs = 15_000,
  drainMs = 60_000,
  patienceMs = 30_000,
  unwatchedMs = 200,
  pollMs = 250,
  onServe
}: Options): Log {
  const sender = randomUUID()
  const record = createRecord(hot, sender)
  const writers = new Map<string, Queue>()
  const feeds = createFeeds({
    record,
    writerOf: (key) => writers.get(key),
    announce: (project, stream) => signals.send(followed, [project, stream])
  })
  const flusher = createFlusher(record, patienceMs, now)
  const unwatched = createUnwatched(flusher.enqueue, unwatchedMs)
  const port: Port = {
    enqueue: (queue, later) => (later ? unwatched.add(queue) : flusher.enqueue(queue)),
    durable(row, byOwner) {
      feeds.deliver(row)
      if (byOwner) record.announce(row)
    },
    gone(queue) {
      if (writers.get(keyOf(queue)) === queue) writers.delete(keyOf(queue))
    },
    find: record.find
  }

  function hold(queue: Queue): Queue {
    const key = keyOf(queue)
    writers.get(key)?.lose()
    writers.set(key, queue)
    if (feeds.has(key)) queue.watch()
    return queue
  }

  async function state(project: string, stream: string) {
    const writer = writers.get(keyOf({ project, stream }))
    return (await record.state(project, stream)) ?? (writer && { last: writer.durable, ended: false })
  }

  const server = createServer({
    feeds,
    now,
    keepAliveMs,
    drainMs,
    onServe,
    // What its own writer knows saves a query; only what lies beyond may be in the record all the same.
    async state(project, stream, after) {
      const writer = writers.get(keyOf({ project, stream }))
      return writer && after <= writer.durable ? { last: writer.durable } : state(project, stream)
    }
  })

  const streams: Streams = {
    open: (project, stream, idField, after) =>
      hold(createWriter({ project, stream, idField, after, watched: after !== undefined }, port)),
    writer: (project, stream) => writers.get(keyOf({ project, stream })),
    async claim(project, stream, idField, first, seen) {
      const writer = drawWriter()
      const claimed = await record.claim(project, stream, writer, eventParts(idField, stream, first), seen)
      if (!claimed) return undefined
      const { seq, body } = claimed
      const queue = hold(createWriter({ project, stream, idField, after: seq, writer, watched: true }, port))
      feeds.deliver({ project, stream, seq, last: seq, ended: false, body })
      return queue
    },
    fragment: (chunks, given) =>
      manyChunks(
        chunks.map((chunk) => chunk.row),
        given
      ),
    follow: createFollow(feeds),
    state,
    async remove(trx, project, stream) {
      await trx('kernel.stream_chunk').where({ project, stream }).delete()
      // It resolves after a rollback too, which leaves the stream as it was.
      trx.executionPromise
        .then(() => record.state(project, stream))
        .then((left) => left ?? signals.send(removed, [project, stream]))
        .catch(() => undefined)
    },
    serve: server.serve
  }

  const subscriptions = [
    signals.on(followed, (data) => writers.get(keyOfSignal(data))?.watch()),
    signals.on(removed, (data) => {
      writers.get(keyOfSignal(data))?.lose()
      feeds.drop(keyOfSignal(data))
    })
  ]

  let connected = false
  const poll = setInterval(() => {
    feeds.retry()
    if (!connected) void feeds.check()
  }, pollMs).unref()
  const safety = setInterval(() => void feeds.check(), keepAliveMs).unref()

  return {
    streams,
    heard(payload) {
      const end = payload.indexOf('\n')
      const [from, project, stream, seq, last, ended] = JSON.parse(payload.slice(0, end)) as Notified
      if (from === sender) return
      const writer = writers.get(keyOf({ project, stream }))
      if (writer && seq > writer.durable) writer.lose()
      const body = payload.slice(end + 1) || undefined
      feeds.deliver({ project, stream, seq, last, ended, body })
    },
    lost() {
      connected = false
    },
    restored() {
      connected = true
      void feeds.check()
    },
    async close() {
      for (const subscription of subscriptions) subscription[Symbol.dispose]()
      clearInterval(poll)
      clearInterval(safety)
      server.close()
      unwatched.flush()
      await flusher.idle()
    }
  }
}

type Notified = [sender: string, project: string, stream: string, seq: number, last: number, ended: boolean]

function keyOfSignal(data: unknown): string {
  const [project, stream] = Array.isArray(data) ? data : []
  return keyOf({ project: String(project), stream: String(stream) })
}
