import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notFound } from '../errors.ts'
import type { Feeds } from './feeds.ts'
import type { Reader } from './reader.ts'
import { createReader } from './reader.ts'

interface Served {
  readonly project: string
  readonly stream: string
  readonly idField: string
}

interface Options {
  readonly feeds: Feeds
  readonly state: (project: string, stream: string, after: number) => Promise<{ last: number } | undefined>
  readonly keepAliveMs: number
  readonly drainMs: number
  readonly now: () => number
  readonly onServe?: (request: FastifyRequest, close: () => void) => void
}

/** Keepalives are spread over that many turns of one timer. */
const turns = 15

/** Server-Sent Events of any number of streams, with one timer for all. */
export function createServer({ feeds, state, keepAliveMs, drainMs, now, onServe }: Options) {
  const readers = Array.from({ length: turns }, () => new Set<Reader>())
  let turn = 0
  const timer = setInterval(() => {
    turn = (turn + 1) % turns
    for (const reader of readers[turn] ?? []) reader.beat(now() - drainMs)
  }, keepAliveMs / turns).unref()

  function open(request: FastifyRequest, reply: FastifyReply, served: Served, after: number) {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': request.id
    })
    reply.raw.flushHeaders()
    const slot = readers[turn]
    const reader = createReader({
      response: reply.raw,
      numbered: request.method === 'GET',
      keepalive: `data: {"type":"keepalive",${JSON.stringify(served.idField)}:${JSON.stringify(served.stream)},"seq":`,
      now,
      resume: () => feeds.resume(follower),
      closed() {
        slot?.delete(reader)
        feeds.close(follower)
      }
    })
    slot?.add(reader)
    const follower = feeds.follow(served.project, served.stream, after, reader)
    reader.follow(follower)
    onServe?.(request, reader.end)
  }

  return {
    async serve(request: FastifyRequest, reply: FastifyReply, served: Served): Promise<void> {
      const { after, param } = resumeAfter(request)
      const known = await state(served.project, served.stream, after)
      if (!known) throw notFound('Stream')
      if (after > known.last) throw invalid(param, `The stream has no event ${after} yet`)
      if (!reply.raw.destroyed) open(request, reply, served, after)
      else reply.hijack()
    },
    /** Lets all readers go; they may resume elsewhere. */
    close(): void {
      clearInterval(timer)
      for (const slot of readers) for (const reader of slot) reader.end()
    }
  }
}

function resumeAfter({ body, query, headers }: FastifyRequest): { after: number; param: string } {
  const header = headers['last-event-id']
  const told = afterOf(body) ?? afterOf(query)
  if (told !== undefined) return { after: numberOf(told, 'after'), param: 'after' }
  if (header) return { after: numberOf(header, 'last-event-id'), param: 'last-event-id' }
  return { after: -1, param: 'after' }
}

function afterOf(source: unknown): unknown {
  if (typeof source !== 'object' || source === null || !('after' in source)) return undefined
  return source.after ?? undefined
}

function numberOf(value: unknown, param: string): number {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  if (/^(-1|\d{1,9})$/.test(text)) return Number(text)
  throw invalid(param, 'Must be the seq of an event, or -1')
}
