import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure, invalid, tooLarge, unsupportedMedia } from '../contract/errors.ts'
import { noteScanned, parseJson } from './json-body.ts'
import { createScan, isSmall } from './json-scan.ts'

/** A body that is read must be complete, and a streamed one must go on, within this. */
const PATIENCE_MS = 9_000
const LOOK_MS = 500
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i

const tooSlow = () =>
  new Failure('tooSlow', 'The body did not arrive in time', { headers: { connection: 'close' } })

/** The one parser of bodies: by what the route says of itself, then by content type. */
export function takeBodies(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    const { body: kind, bodyLimit: limit = bodyLimit } = request.routeOptions.config
    if (request.is404) {
      done(null, undefined)
    } else if (kind === 'stream') {
      closeWhenIdle(request.raw)
      done(null, undefined)
    } else if (!kind && !isJson(request) && hasBody(request)) {
      done(unsupportedMedia('The body must be application/json'))
    } else if (!kind && isEncoded(request)) {
      done(unsupportedMedia('The body must not be compressed'))
    } else {
      read(payload as IncomingMessage, request, limit, kind === 'raw')
        .then((bytes) => done(null, kind === 'raw' ? bytes : parseJson(bytes)))
        .catch(done)
    }
  })
}

const isJson = ({ headers }: FastifyRequest): boolean => JSON_TYPE.test(headers['content-type'] ?? '')
const isEncoded = ({ headers }: FastifyRequest): boolean =>
  !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')
const hasBody = ({ headers }: FastifyRequest): boolean => headers['content-length'] !== '0'

/** Whole within the patience, or, where it may take its time, with a byte in each. Large JSON is scanned while it arrives. */
function read(
  payload: IncomingMessage,
  request: FastifyRequest,
  limit: number,
  takesTime: boolean
): Promise<Buffer> {
  const tooMuch = () =>
    tooLarge(`The body is larger than ${limit} bytes`, { headers: { connection: 'close' } })
  return new Promise((resolve, reject) => {
    const length = request.headers['content-length']
    if (Number(length ?? 0) > limit) return reject(tooMuch())
    const scan = isJson(request) && !isSmall(Number(length ?? limit)) ? createScan() : undefined
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => end(tooSlow()), PATIENCE_MS)
    const data = (chunk: Buffer) => {
      size += chunk.length
      if (takesTime) timer.refresh()
      if (size > limit) return end(tooMuch())
      chunks.push(chunk)
      try {
        scan?.(chunk)
      } catch (error) {
        end(error as Error)
      }
    }
    const end = (error?: Error) => {
      clearTimeout(timer)
      payload.off('data', data).off('end', end).off('error', end).off('close', cut)
      if (error) return reject(error)
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)
      if (scan) noteScanned(body)
      resolve(body)
    }
    const cut = () => end(invalid('', 'The body was cut off'))
    payload.on('data', data).on('end', end).on('error', end).on('close', cut)
  })
}

/** Ends a request whose body stops to arrive. One that waits because it is not read here is not slow. */
export function closeWhenIdle(raw: IncomingMessage): void {
  if (raw.destroyed || raw.readableEnded) return
  let seen = raw.socket.bytesRead
  let since = performance.now()
  // To listen for data of the socket would set it flowing past a parser that holds it back.
  const looking = setInterval(() => {
    const { bytesRead } = raw.socket
    const held = raw.readableLength >= raw.readableHighWaterMark
    if (bytesRead !== seen || held) since = performance.now()
    else if (performance.now() - since >= PATIENCE_MS) raw.destroy(tooSlow())
    seen = bytesRead
  }, LOOK_MS)
  const stop = () => clearInterval(looking)
  raw.once('end', stop).once('close', stop)
}
