import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { RecordableHistogram } from 'node:perf_hooks'
import { createHistogram, performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { Failure, failureTypes, invalid, notFound } from '../contract/errors.ts'
import type { Latency } from '../packs/desired/records.ts'
import type { Seen } from '../packs/info.ts'
import type { Generation } from '../packs/runtime/generation.ts'
import { createConnections } from './connections.ts'
import type { Answering, Exchange } from './exchange.ts'
import { beginExchange, exchangeOf } from './exchange.ts'
import { clientFailure, envelopeOf, writeFailure } from './failures.ts'
import { createLive } from './live.ts'
import { boundUnread, cutUnread } from './unread-body.ts'

// Looked at once a second: closed within ten seconds.
const HEADERS_MS = 9_000
const MAX_URL = 8_192
/** A generation may go on answering for this long after it was replaced; long work is asked to hand over a little before. */
const DRAIN_MS = 60_000
const HAND_OVER_MS = 20_000

interface Serving {
  readonly latency: RecordableHistogram
  readonly handOver: AbortController
}

/** What became of a generation that was replaced. */
export interface Drained {
  readonly drained: number
  readonly dropped: number
}

/** The one server: hands each request to the generation that is current when it comes. */
export function createGenerationServer(first: Generation, log: FastifyBaseLogger) {
  let current = first
  let draining = false
  const live = createLive()
  const observers = new Set<(seen: Seen) => void>()
  const swapListeners = new Set<() => void>()
  const serving = new WeakMap<Answering, Serving>()
  const of = (generation: Answering): Serving => {
    const known = serving.get(generation)
    if (known) return known
    const made = { latency: createHistogram(), handOver: new AbortController() }
    serving.set(generation, made)
    return made
  }
  // Nothing in the line of a request is secret, and looking for secrets takes most of the time of a line.
  const lines = log.child({}, { redact: [] })

  function onRequest(request: IncomingMessage, response: ServerResponse) {
    const generation = current
    const exchange = beginExchange(request, generation)
    generation.inFlight.enter()
    response.on('close', () => onClose(exchange, request, response))
    connections.answer(request.socket, response)
    boundUnread(request, response)
    const failure = faultOf(request)
    if (failure) refuse(failure, exchange, response)
    else generation.handle(request, response)
  }

  function refuse(failure: Failure, { id }: Exchange, response: ServerResponse) {
    const { status } = failureTypes[failure.kind]
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': id,
      connection: 'close'
    })
    response.end(JSON.stringify(envelopeOf(failure, id)))
  }

  function onClose(exchange: Exchange, request: IncomingMessage, response: ServerResponse) {
    cutUnread(request)
    const ms = performance.now() - exchange.startedAt
    if (exchange.forget) exchange.forget()
    else {
      exchange.generation.inFlight.leave()
      of(exchange.generation).latency.record(Math.max(1, Math.round(ms * 1_000)))
    }
    const { id: requestId, pack, route, method, by, refusal } = exchange
    const status = response.writableFinished ? response.statusCode : 499
    for (const hear of observers) hear({ requestId, pack, route, method, status, ms, by, refusal })
    // Never the URL itself: it may hold a token.
    const line = {
      requestId,
      method,
      route,
      status,
      ms: Math.round(ms * 100) / 100,
      principal: exchange.principal
    }
    if (exchange.cause !== undefined) log.error({ ...line, err: exchange.cause }, 'request failed')
    else lines.info(line, 'request')
  }

  /** From now on the stream that answers this request is the kernel's, not the generation's. */
  function detach(request: IncomingMessage, close: () => void): void {
    const exchange = exchangeOf(request)
    if (exchange.forget) return
    const { pack, credential, by, endsAt } = exchange
    exchange.forget = live.add({ pack, credential, by, endsAt, close })
    exchange.generation.inFlight.leave()
  }

  /** One assignment; what the old generation still has to do it does, then it stops. */
  function swap(next: Generation): Promise<Drained> {
    const old = current
    current = next
    live.closeWhere(({ pack }) => pack !== undefined && !next.packs.has(pack))
    for (const hear of swapListeners) hear()
    const waiting = old.inFlight.count
    const { handOver } = of(old)
    const soon = setTimeout(() => handOver.abort(), HAND_OVER_MS)
    return old.inFlight.drained(DRAIN_MS).then(async (dropped) => {
      clearTimeout(soon)
      await old.stop()
      return { drained: waiting - dropped, dropped }
    })
  }

  function latencyOf(generation: Generation): Latency {
    const { latency } = of(generation)
    const at = (percentile: number) => (latency.count === 0 ? null : latency.percentile(percentile) / 1_000)
    return { requests: latency.count, p50: at(50), p99: at(99) }
  }

  const server: Server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 72_000,
      // `faultOf` says it in the envelope.
      requireHostHeader: false,
      // What is offered beside, such as h2c, is declined by answering as if it was not.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket'
    },
    onRequest
  )
  const connections = createConnections(server)
  server.on('checkExpectation', onRequest)
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    writeFailure(socket, notFound('Route'))
  })
  server.on('clientError', (error, socket) => {
    const begun = connections.answering(socket)
    // A second reply must not stand in the middle of the first.
    const cut = begun?.headersSent && !begun.writableFinished
    if (cut || (error as NodeJS.ErrnoException).code === 'ECONNRESET') socket.destroy()
    else writeFailure(socket, clientFailure(error))
  })

  return {
    server,
    live,
    swap,
    detach,
    latencyOf,
    observe(hear: (seen: Seen) => void): Disposable {
      observers.add(hear)
      return { [Symbol.dispose]: () => void observers.delete(hear) }
    },
    onSwap(hear: () => void): Disposable {
      swapListeners.add(hear)
      return { [Symbol.dispose]: () => void swapListeners.delete(hear) }
    },
    current: () => current,
    /** A connection that came another way than by the port. */
    accept(connection: Duplex): void {
      if (draining) return void connection.destroy()
      // What a reply asks of its socket, and what has no network does not need.
      const setTimeout = () => connection
      server.emit('connection', Object.assign(connection, { setTimeout }))
    },
    draining: () => draining,
    handOver: (generation: Generation) => of(generation).handOver.signal,
    /** Takes no more connections, answers what is on its way. Says how many requests were cut off. */
    async drain(ms: number): Promise<number> {
      draining = true
      of(current).handOver.abort()
      live.closeWhere(() => true)
      await connections.leave()
      // Streams that were opened meanwhile.
      live.closeWhere(() => true)
      const dropped = await current.inFlight.drained(ms)
      await connections.close()
      return dropped
    }
  }
}

/** What Node lets pass, or would refuse without the envelope. */
function faultOf({ url = '', headers, rawHeaders, httpVersion }: IncomingMessage): Failure | undefined {
  if (url.length > MAX_URL) return new Failure('uriTooLong', `The URL is longer than ${MAX_URL} characters`)
  if (headers.host === undefined && httpVersion === '1.1')
    return invalid('host', 'The host header is required')
  if (hasTwoHosts(rawHeaders)) return invalid('host', 'The host header stands there twice')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && !/^chunked$/i.test(coding))
    return new Failure('notImplemented', 'Bodies are sent whole or chunked, in no other transfer coding')
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
    return invalid('expect', 'Unsupported Expect header: only 100-continue is accepted')
  return undefined
}

/** Node keeps the first, and what stands before the platform may go by the second. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}
export type GenerationServer = ReturnType<typeof createGenerationServer>
