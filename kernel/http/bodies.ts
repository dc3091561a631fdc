import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure, invalid, tooLarge, unsupportedMedia } from '../contract/errors.ts'

/** A body that is read must be complete, and a streamed one must go on, within this. */
const PATIENCE_MS = 9_000
const LOOK_MS = 500
/** Only a body that has one of these in its text can hold what `refuse` looks for. */
const SUSPICIOUS = /__proto__|constructor|\\u(?:0000|005f|00[46]|00[57]|d[89a-f])|\de\+?\d{3}|\d{309}/i
/** No walk over a value, and no database, runs out of stack before. */
const MAX_DEPTH = 500
const utf8 = new TextDecoder('utf-8', { fatal: true })
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i

const tooSlow = () =>
  new Failure('tooSlow', 'The body did not arrive in time', { headers: { connection: 'close' } })

/** JSON as RFC 8259 has it: UTF-8, and no value that a database or a merge would choke on. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw invalid('', 'The body is not UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid('', `The body is not JSON: ${(error as Error).message}`)
  }
  if (text.length > 2 * MAX_DEPTH) refuseDepth(value, MAX_DEPTH)
  if (SUSPICIOUS.test(text)) refuse(value, '')
  return value
}

function refuseDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return
  if (left === 0) throw invalid('', `The body is nested more than ${MAX_DEPTH} levels deep`)
  for (const item of Array.isArray(value) ? value : Object.values(value)) refuseDepth(item, left - 1)
}

function refuse(value: unknown, pointer: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid(pointer, `${pointer || 'The body'} must not contain NUL`)
    if (!value.isWellFormed()) throw invalid(pointer, `${pointer || 'The body'} holds a lone surrogate`)
    return
  }
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalid(pointer, `${pointer || 'The body'} is too large a number`)
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    const at = `${pointer}/${key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (key === '__proto__' || (key === 'constructor' && isPollution(item)))
      throw invalid(at, `${at} is not allowed as a name`)
    refuse(key, at)
    refuse(item, at)
  }
}

const isPollution = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')

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
    } else if (!kind && !JSON_TYPE.test(request.headers['content-type'] ?? '') && hasBody(request)) {
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

const isEncoded = ({ headers }: FastifyRequest): boolean =>
  !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')
const hasBody = ({ headers }: FastifyRequest): boolean => headers['content-length'] !== '0'

/** Whole within the patience, or, where it may take its time, with a byte in each. */
function read(
  payload: IncomingMessage,
  request: FastifyRequest,
  limit: number,
  takesTime: boolean
): Promise<Buffer> {
  const tooMuch = () =>
    tooLarge(`The body is larger than ${limit} bytes`, { headers: { connection: 'close' } })
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(tooMuch())
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => end(tooSlow()), PATIENCE_MS)
    const data = (chunk: Buffer) => {
      size += chunk.length
      if (takesTime) timer.refresh()
      if (size > limit) end(tooMuch())
      else chunks.push(chunk)
    }
    const end = (error?: Error) => {
      clearTimeout(timer)
      payload.off('data', data).off('end', end).off('error', end).off('close', cut)
      if (error) reject(error)
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size))
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
