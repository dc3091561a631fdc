import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Failure, FailureKind } from '../contract/errors.ts'
import {
  conflict,
  failureTypes,
  insufficientStorage,
  invalid,
  isFailure,
  Failure as KernelFailure,
  notFound,
  unavailable
} from '../contract/errors.ts'
import { isDatabaseAway } from '../database/connect.ts'
import { exchangeOf, newRequestId } from './exchange.ts'

/** The error envelope of the specification. Fastify gives what a validator returns a code of its own. */
export const envelopeOf = ({ kind, message, param, code }: Failure, requestId: string) => ({
  error: {
    type: failureTypes[kind].type,
    message,
    ...(param !== undefined && { param }),
    ...(code !== undefined && !code.startsWith('FST_') && { code }),
    requestId
  }
})

const byStatus = new Map<number, FailureKind>(
  Object.entries(failureTypes).map(([kind, { status }]) => [status, kind as FailureKind])
)
/** serialization_failure, deadlock_detected: the same request may well succeed now. */
const RETRIABLE = new Set(['40001', '40P01'])

/** disk_full, as PostgreSQL and the system say it. */
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** What a caller may know of anything that was thrown. */
export function failureOf(error: unknown): Failure {
  if (isFailure(error)) return error
  if (isDatabaseAway(error))
    return unavailable('The database cannot be reached', { code: 'database_unavailable', cause: error })
  const { statusCode, code, message } = (error ?? {}) as Partial<Error> & {
    statusCode?: number
    code?: string
  }
  if (FULL.has(String(code)))
    return insufficientStorage('There is no room left to write', { code: 'disk_full', cause: error })
  if (RETRIABLE.has(String(code)))
    return conflict('Another change came in between; try again', { code: 'retry', cause: error })
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return notFound('Resource')
  const kind = statusCode !== undefined && statusCode < 500 ? byStatus.get(statusCode) : undefined
  if (!kind) return new KernelFailure('internal', 'Something went wrong on our side', { cause: error })
  return new KernelFailure(kind, message ?? '', { ...(statusCode === 400 && { param: '' }), cause: error })
}

/** In seconds, where a 503 says nothing itself. */
const RETRY_AFTER = '5'

/** What a failure sends beside its body. */
const headersOf = ({ kind, headers }: Failure): Readonly<Record<string, string>> =>
  kind === 'unavailable' ? { 'retry-after': RETRY_AFTER, ...headers } : (headers ?? NONE)
const NONE = {}

/** Answers a request with a failure: the one place that does, for everything behind the router. */
export function replyWithFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = failureOf(error)
  const { status } = failureTypes[failure.kind]
  if (failure.kind === 'forbidden') exchangeOf(request.raw).refusal = failure
  if (status >= 500 && (failure.cause !== null || failure.kind === 'internal'))
    exchangeOf(request.raw).cause = failure.cause ?? failure
  reply
    .headers(headersOf(failure))
    .removeHeader('etag')
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer(asIs)
    .code(status)
    .send(JSON.stringify(envelopeOf(failure, request.id)))
}

const asIs = (payload: unknown) => payload as string

/** Answers on a bare socket: malformed HTTP, refused upgrades. */
export function writeFailure(socket: Duplex, failure: Failure, requestId = newRequestId()): void {
  if (!socket.writable) return void socket.destroy()
  const { status } = failureTypes[failure.kind]
  const body = JSON.stringify(envelopeOf(failure, requestId))
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...headersOf(failure),
    connection: 'close'
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** What Node's parser refuses before there is a request. */
export function clientFailure(error: Error & { code?: string; rawPacket?: Buffer }): Failure {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isLongTarget(error.rawPacket)
        ? new KernelFailure('uriTooLong', 'The URL is too long')
        : new KernelFailure('headersTooLarge', 'The headers are too large')
    case 'HPE_INVALID_METHOD':
      return isRequestLine(error.rawPacket) ? notFound('Route') : invalid('', 'Malformed HTTP')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new KernelFailure('tooSlow', 'The request did not arrive in time')
    default:
      return invalid('', 'Malformed HTTP')
  }
}

/** The parser says the same of a long target and of long headers: a target has no line end before it. */
const isLongTarget = (packet?: Buffer): boolean =>
  packet !== undefined &&
  (!packet.includes('\r\n') || /^[A-Z]+ [^\r\n]{8192}/.test(packet.toString('latin1')))

/** A method that does not exist, in a request that is one otherwise. */
const isRequestLine = (packet?: Buffer): boolean =>
  packet !== undefined && /^[A-Z-]{1,32} \S+ HTTP\/1\.[01]\r\n/.test(packet.toString('latin1'))
