import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unlessAborted } from '../contract/aborted.ts'
import { gone, invalid, notFound } from '../contract/errors.ts'
import type { Feeds, Follower } from './feeds.ts'
import type { Key, Part } from './record.ts'
import type { Served, StreamEvent, Streams, View } from './stream.ts'

interface Options {
  readonly feeds: Feeds
  /** The first and the last event of a stream, undefined when it is unknown. */
  readonly boundsOf: (stream: Key, after: number) => Promise<{ first: number; last: number } | undefined>
  readonly keepAliveMs: number
  readonly drainMs: number
  readonly onServe?: (request: FastifyRequest, close: () => void) => void
}

/** Answers requests with Server-Sent Events. */
export function createServe({ feeds, boundsOf, keepAliveMs, drainMs, onServe }: Options): Streams['serve'] {
  function open(request: FastifyRequest, reply: FastifyReply, served: Served, after: number) {
    const { raw: response } = reply
    response.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': request.id
    })
    response.flushHeaders()
    const { project, idField, stream: known, signal, isLast, live, view } = served
    const left = new AbortController()
    let following: { stream: string; follower: Follower } | undefined
    let at = after
    let drained = () => {}

    function follow(stream: string): Follower {
      const follower = feeds.follow({ project, stream }, after)
      following = { stream, follower }
      return follower
    }

    /** One that is not stored. */
    function sendLive(type: string, fields: object) {
      if (response.writableNeedDrain || response.destroyed) return
      const stream = following?.stream ?? (typeof known === 'string' ? known : undefined)
      const event = { type, [idField]: stream, seq: at, ...fields }
      response.write(stream === undefined ? ':\n\n' : framesOf(JSON.stringify(event)))
    }

    function keepAlive() {
      if (!view) return sendLive('keepalive', {})
      if (response.writableNeedDrain || response.destroyed) return
      const frame = following && view.keepalive?.(at)
      response.write(frame ? framesOf(JSON.stringify(frame)) : ':\n\n')
    }

    const beat = setInterval(keepAlive, keepAliveMs).unref()
    const unlive = live?.(sendLive)
    let isOver = false

    function leave() {
      if (isOver) return
      isOver = true
      unlive?.()
      signal?.removeEventListener('abort', leave)
      left.abort()
      following?.follower.close()
      drained()
    }

    async function send(follower: Follower) {
      for await (const part of follower.parts) {
        const { body, isEnd } = endingAt(part, isLast)
        at = part.last
        const shown = view
          ? await viewed(body, view)
          : { frames: shared(part, body, request.method), isLast: false }
        if (response.destroyed) continue
        const room = shown.frames.length === 0 || response.write(shown.frames)
        if (isEnd || shown.isLast) return leave()
        if (room || response.destroyed) continue
        await new Promise<void>((resolve) => {
          drained = resolve
        })
      }
    }

    async function sendAll() {
      const stream =
        typeof known === 'string'
          ? known
          : await unlessAborted(left.signal, known(left.signal)).catch(() => undefined)
      if (stream !== undefined && !left.signal.aborted) await send(follow(stream))
      clearInterval(beat)
      response.end()
    }

    response.on('drain', () => drained())
    response.on('close', leave)
    response.on('error', () => response.destroy())
    response.setTimeout(drainMs, () => response.destroy())
    signal?.addEventListener('abort', leave)
    if (signal?.aborted) leave()
    onServe?.(request, leave)
    void sendAll()
  }

  return async (request, reply, served) => {
    const { after, param } =
      served.after === undefined ? resumeAfter(request) : { after: served.after, param: 'after' }
    const { project, stream } = served
    const bounds =
      typeof stream === 'string' ? await boundsOf({ project, stream }, after) : { first: 0, last: -1 }
    if (!bounds) throw notFound('Stream')
    const { first, last } = bounds
    if (after > last) throw invalid(param, `The stream has no event ${after} yet`)
    if (after < first - 1) {
      const text = `The events up to ${first - 1} are not kept any more: follow what comes behind that, after reading what it tells of`
      throw gone(text, { param, code: 'events_gone' })
    }
    reply.hijack()
    if (!reply.raw.destroyed) open(request, reply, served, after)
  }
}

/** What all readers of a part have of it: it is made by the first of them. */
interface Made {
  events?: readonly string[]
  readonly frames: { [method: string]: Buffer }
}
const made = new WeakMap<Part, Made>()
function madeOf(part: Part): Made {
  let known = made.get(part)
  if (!known) made.set(part, (known = { frames: {} }))
  return known
}

/** Events up to the last one that a reader gets. */
function endingAt(part: Part, isLast: Served['isLast']): { body: Part['body']; isEnd: boolean } {
  const { body } = part
  if (!isLast) return { body, isEnd: false }
  const events = (madeOf(part).events ??= body.split('\n'))
  const end = events.findIndex(isLast)
  return end < 0 ? { body, isEnd: false } : { body: events.slice(0, end + 1).join('\n'), isEnd: true }
}

/** The frames of a part, in bytes that its readers share, unless one gets less of it. */
function shared(part: Part, body: Part['body'], method: string): Buffer {
  const bytesOf = () => Buffer.from(framesOf(body, method === 'GET' ? part.seq : undefined))
  return body.length < part.body.length ? bytesOf() : (madeOf(part).frames[method] ??= bytesOf())
}

/** With `seq` of the first one they carry an `id`. */
function framesOf(body: Part['body'], seq?: number): string {
  if (seq === undefined) return `data: ${body.replaceAll('\n', '\n\ndata: ')}\n\n`
  const frames = body.split('\n').map((event, index) => `id: ${seq + index}\ndata: ${event}\n\n`)
  return frames.join('')
}

/** Each event's last frame carries its `seq` as the id: what a reader has half of is sent again. */
async function viewed(body: string, view: View): Promise<{ frames: string; isLast: boolean }> {
  let frames = ''
  for (const line of body.split('\n')) {
    const event = JSON.parse(line) as StreamEvent
    const shown = await view.show(event)
    for (const [index, frame] of shown.entries()) {
      const name = view.nameOf?.(frame)
      if (name !== undefined) frames += `event: ${name}\n`
      frames += `${index === shown.length - 1 ? `id: ${event.seq}\n` : ''}data: ${JSON.stringify(frame)}\n\n`
    }
    if (!view.isLast?.(event)) continue
    return { frames: view.end === undefined ? frames : `${frames}data: ${view.end}\n\n`, isLast: true }
  }
  return { frames, isLast: false }
}

function resumeAfter({ body, query, headers }: FastifyRequest): { after: number; param: string } {
  const inBody = afterOf(body)
  const told = inBody ?? afterOf(query)
  const header = headers['last-event-id']
  const elsewhere = told === undefined && header ? 'last-event-id' : 'after'
  const param = inBody === undefined ? elsewhere : '/after'
  const text = String(told ?? (header || -1))
  if (/^(-1|\d{1,9})$/.test(text)) return { after: Number(text), param }
  throw invalid(param, 'Must be the seq of an event, or -1')
}

const afterOf = (source: unknown) => (source as { after?: unknown } | null | undefined)?.after ?? undefined
