import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Hot } from '../database/hot.ts'
import { createFeeds } from './feeds.ts'
import { createFlusher } from './flusher.ts'
import { createPublish, PUBLISHED } from './publish.ts'
import type { Key, Part } from './record.ts'
import { createRecord, insertChunks, keyOf } from './record.ts'
import { redact } from './redact.ts'
import { createServe } from './sse.ts'
import type { StreamEvent, Streams } from './stream.ts'
import type { Queue } from './writer.ts'
import { createWriter } from './writer.ts'

export { channel } from './record.ts'
export type { Chunk, EventInput, Publication, StreamEvent, Streams, View, Writer } from './stream.ts'

/** Signals: a process follows what it does not write; a writer's owner committed events; a stream was removed. */
const followed = 'streams.followed'
const committed = 'streams.committed'
const removed = 'streams.removed'

/** UTF-16 code units of what goes with a signal, so that several of them go as one. */
const SHORT = 2_000

const times = {
  keepAliveMs: 15_000,
  /** How long a connection may take nothing. */
  drainMs: 60_000,
  /** How long writes may fail before a stream is lost. */
  patienceMs: 30_000,
  /** Greatest age of what is queued for a stream that nobody is known to follow. */
  unwatchedMs: 200,
  /** How often the record is looked at while no notifications arrive. */
  pollMs: 250
}

export interface Options extends Partial<typeof times> {
  readonly hot: Hot
  readonly signals: {
    send(topic: string, data?: unknown): void
    on(topic: string, hear: (data: unknown) => void): Disposable
  }
  /** Called when a request begins to be answered with a stream; `close` ends that. */
  readonly onServe?: (request: FastifyRequest, close: () => void) => void
}

/** Streams of one process, and what the kernel tells them. */
export function createStreams({ hot, signals, onServe, ...given }: Options) {
  const { keepAliveMs, drainMs, patienceMs, unwatchedMs, pollMs } = { ...times, ...given }
  const record = createRecord(hot)
  const writers = new Map<string, Queue>()
  /** Streams that another process may follow; the others need not be told what a statement of an owner's wrote. */
  const elsewhere = new Set<string>()
  /** For a follower that began just before, and was not heard yet. */
  const untold = new LRUCache<string, Told>({ max: 10_000 })
  /** While its own news is sent, which it hears at once. */
  let isOwn = false
  const writerOf = (key: Key) => writers.get(keyOf(key))
  const feeds = createFeeds({
    record,
    writerOf,
    announce: ({ project, stream }) => signals.send(followed, { project, stream })
  })
  const flusher = createFlusher({
    append: record.append,
    queues: () => writers.values(),
    patienceMs,
    unwatchedMs
  })

  const create = (project: string, stream: string, idField: string, after?: number) =>
    createWriter(
      { project, stream, idField, after },
      {
        enqueue: flusher.enqueue,
        find: record.find,
        insert: record.insert,
        get patienceMs() {
          return isClosed ? -1 : patienceMs
        },
        durable(row, byOwner) {
          feeds.deliver(row)
          const { writer, seq, last, ended } = row
          if (!byOwner || seq === 0) return
          const told: Told = [writer, project, stream, seq, last, ended]
          if (elsewhere.has(keyOf(row))) signals.send(committed, told)
          else untold.set(keyOf(row), told)
        },
        gone(queue) {
          if (writerOf(queue) !== queue) return
          writers.delete(keyOf(queue))
          elsewhere.delete(keyOf(queue))
        }
      }
    )

  function hold(queue: Queue): Queue {
    writerOf(queue)?.lose()
    writers.set(keyOf(queue), queue)
    if (queue.durable >= 0) elsewhere.add(keyOf(queue))
    if (feeds.has(queue)) queue.watch()
    return queue
  }

  async function state(project: string, stream: string) {
    const found = await record.state({ project, stream })
    if (found) return { last: found.last, ended: found.ended }
    const writer = writerOf({ project, stream })
    return writer && { last: writer.durable, ended: false }
  }

  const streams: Streams = {
    open: (project, stream, idField, after) => hold(create(project, stream, idField, after)),
    writer: (project, stream) => writerOf({ project, stream }),
    async claim(project, stream, idField, first, seen) {
      const found = await record.state({ project, stream })
      if (!found || found.ended || found.last !== (seen ?? found.last)) return undefined
      if (found.writer === PUBLISHED) return undefined
      const queue = create(project, stream, idField, found.last)
      queue.append(first.type, first.fields)
      return queue.flushed().then(
        () => hold(queue),
        () => undefined
      )
    },
    publish: createPublish(hot, (row) => {
      feeds.deliver(row)
      const { writer, project, stream, seq, last, ended, body } = row
      // Before its first event a stream is unknown, so that nobody follows it.
      if (seq === 0) return
      const news: Told = [writer, project, stream, seq, last, ended]
      // What is short is not read from the record by the others.
      isOwn = true
      signals.send(committed, body.length <= SHORT ? [...news, body] : news)
      isOwn = false
    }),
    fragment: insertChunks,
    async *follow(project, stream, after, signal) {
      if (signal?.aborted) return
      const { parts, close } = feeds.follow({ project, stream }, after)
      signal?.addEventListener('abort', close)
      try {
        for await (const { body } of parts) yield body
      } finally {
        signal?.removeEventListener('abort', close)
      }
    },
    async until(project, stream, after, is, signal) {
      for await (const body of streams.follow(project, stream, after, signal))
        for (const line of body.split('\n')) {
          const event: StreamEvent = JSON.parse(line)
          if (is(event)) return event
        }
      return undefined
    },
    first: (project, stream) => record.first({ project, stream }),
    state,
    redact,
    async remove(trx, project, stream) {
      await trx('kernel.stream_chunk').where({ project, stream }).delete()
      // It resolves after a rollback too, which leaves the stream as it was.
      trx.executionPromise
        .then(() => record.state({ project, stream }))
        .then((left) => left ?? signals.send(removed, { project, stream }))
        .catch(() => undefined)
    },
    serve: createServe({
      feeds,
      keepAliveMs,
      drainMs,
      onServe,
      // What its own writer knows saves a query; what lies beyond may be in the record all the same.
      async boundsOf({ project, stream }, after) {
        const writer = writerOf({ project, stream })
        if (writer && after <= writer.durable) return { first: 0, last: writer.durable }
        const found = await state(project, stream)
        if (!found) return undefined
        return { first: writer ? 0 : ((await record.first({ project, stream })) ?? 0), last: found.last }
      }
    })
  }

  function told([from, project, stream, seq, last, ended]: Told, body?: Part['body']) {
    const writer = writerOf({ project, stream })
    if (writer && writer.id !== from && seq > writer.durable) writer.lose()
    feeds.deliver({ project, stream, seq, last, ended, body })
  }

  const subscriptions = [
    signals.on(followed, (data) => {
      const key = keyOf(data as Key)
      const writer = writers.get(key)
      if (writer) elsewhere.add(key)
      writer?.watch()
      const told = untold.get(key)
      if (told) signals.send(committed, told)
    }),
    signals.on(committed, (data) => {
      const [writer, project, stream, seq, last, ended, body] = data as [...Told, body?: string]
      // What this process publishes it delivers by itself.
      if (!isOwn) told([writer, project, stream, seq, last, ended], body)
    }),
    signals.on(removed, (key) => {
      writerOf(key as Key)?.lose()
      feeds.drop(key as Key)
    })
  ]

  let connected = false
  let isClosed = false
  const poll = setInterval(() => connected || feeds.check(), pollMs).unref()
  const safety = setInterval(() => feeds.check(), keepAliveMs).unref()

  return {
    streams,
    /** A notification of `channel`. */
    heard(payload: string): void {
      const end = payload.indexOf('\n')
      told(JSON.parse(payload.slice(0, end)) as Told, payload.slice(end + 1) || undefined)
    },
    /** No notifications arrive any more: followers look into the record until `restored`. So it begins. */
    lost(): void {
      connected = false
    },
    restored(): void {
      connected = true
      void feeds.check()
    },
    /** Writes what is queued. The database goes next: no commit waits for it any more. */
    async close(): Promise<void> {
      isClosed = true
      for (const subscription of subscriptions) subscription[Symbol.dispose]()
      clearInterval(poll)
      clearInterval(safety)
      await flusher.idle()
    }
  }
}
export type Log = ReturnType<typeof createStreams>

type Told = [writer: number, project: string, stream: string, seq: number, last: number, ended: boolean]
