import { failureTypes } from 'agent-platform'
import { header } from './headers.ts'
import { repeats, takesVersion } from './parameters.ts'
import type { Json, Route, Schema } from './route.ts'
import { isPublic, takesBody } from './route.ts'

type Kind = keyof typeof failureTypes
const kinds = Object.keys(failureTypes) as Kind[]

/** The error envelope. */
export const Failure: Schema = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'message', 'requestId'],
      properties: {
        type: { type: 'string', enum: [...new Set(kinds.map((kind) => failureTypes[kind].type))] },
        message: { type: 'string' },
        param: {
          type: 'string',
          description: 'What was wrong: a JSON pointer into the body, or the name of a parameter'
        },
        code: { type: 'string', description: 'Tells causes of one type apart' },
        requestId: { type: 'string', description: 'The same as in the header `x-request-id`' }
      }
    }
  }
}

const about: Readonly<Record<Kind, readonly [description: string, message: string, more?: Json]>> = {
  invalid: ['A part of the request is wrong; `param` names it', '/name is required', { param: '/name' }],
  unauthenticated: [
    'The credential is missing, unknown, expired or revoked',
    'A bearer credential is required'
  ],
  paymentRequired: ['Credits are used up, or a spending cap is reached', 'Not enough credits'],
  forbidden: [
    'The credential lacks a scope, or has no access to the resource',
    'You do not have access to this agent. Its owner can look up the reason by request ID.',
    { code: 'not_owner' }
  ],
  notFound: ['There is no such resource', 'Agent not found'],
  tooSlow: ['The request did not arrive in time', 'The body did not arrive in time'],
  conflict: [
    'The state of the resource, or another request with the same key, is in the way',
    'The Idempotency-Key was used with another body',
    { code: 'idempotency_key_reused' }
  ],
  gone: [
    'The resource existed, and is no longer available',
    'The events up to 41 are not kept any more',
    { code: 'events_gone', param: 'after' }
  ],
  preconditionFailed: [
    '`If-Match` does not match the current version of the resource',
    'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
  ],
  tooLarge: ['The body is too large', 'The body is larger than 1048576 bytes'],
  uriTooLong: ['The URL is too long', 'The URL is longer than 8192 characters'],
  unsupportedMedia: ['The body has another content type', 'The body must be application/json'],
  rangeNotSatisfiable: [
    'The range lies beyond the end; `Content-Range` tells the size',
    'There are 1024 bytes',
    { param: 'range' }
  ],
  rateLimited: [
    'Too many requests; `Retry-After` says when to try again',
    'Rate limit exceeded. Retry-After: 12'
  ],
  headersTooLarge: ['The headers are too large', 'The headers are too large'],
  internal: [
    'A fault on our side; the log knows more under the request id',
    'Something went wrong on our side'
  ],
  notImplemented: ['The body has a transfer coding other than `chunked`', 'No such transfer coding'],
  upstream: ['A model, tool server or provider failed', 'The model could not be reached'],
  unavailable: [
    'The database is away, the platform is starting or stopping, or a capability is not configured',
    'The database cannot be reached',
    { code: 'database_unavailable' }
  ],
  upstreamTimeout: ['A model, tool server or provider took too long', 'The model did not answer in time'],
  insufficientStorage: ['There is no room left', 'The storage quota is used up']
}

const requestId = 'req_tu1a2bq9x4k7m0c5d8000001'
const headersOf = (kind: Kind): Json => ({
  'x-request-id': header('RequestId'),
  ...((kind === 'rateLimited' || kind === 'unavailable') && { 'retry-after': header('RetryAfter') }),
  ...(kind === 'unauthenticated' && { 'www-authenticate': header('WwwAuthenticate') })
})

/** A shared response for each failure of the platform. */
export const failureResponses = (schema: Json): Json =>
  Object.fromEntries(
    kinds.map((kind) => {
      const [description, message, more] = about[kind]
      const example = { error: { type: failureTypes[kind].type, message, ...more, requestId } }
      const content = { 'application/json': { schema, example } }
      return [nameOf(kind), { description, headers: headersOf(kind), content }]
    })
  )

const nameOf = (kind: Kind): string => kind.charAt(0).toUpperCase() + kind.slice(1)
const kindOf = (status: number): Kind | undefined =>
  kinds.find((kind) => failureTypes[kind].status === status)

/** The shared response of that status, where the platform has a failure for it. */
export function sharedFailure(status: number): Json | undefined {
  const kind = kindOf(status)
  return kind && { $ref: `#/components/responses/${nameOf(kind)}` }
}

/** Statuses with which the kernel may refuse a request to the route, or a pack by its usual means. */
export function failuresOf(route: Route): number[] {
  const { method, access, path } = route
  const hasBody = takesBody(route)
  const found: (Kind | false)[] = [
    'invalid',
    'rateLimited',
    'internal',
    'unavailable',
    !isPublic(route) && 'unauthenticated',
    !isPublic(route) && 'forbidden',
    (/[:*]/.test(path) || (hasBody && !isPublic(route))) && 'notFound',
    method !== 'GET' && method !== 'HEAD' && !isPublic(route) && 'conflict',
    takesVersion(route) && 'preconditionFailed',
    hasBody && 'tooSlow',
    hasBody && access.body !== 'stream' && 'tooLarge',
    hasBody && !access.body && 'unsupportedMedia',
    repeats(route) && 'conflict',
    method !== 'GET' && method !== 'HEAD' && !isPublic(route) && 'insufficientStorage',
    ...(access.failures ?? [])
  ]
  const statuses = found.flatMap((kind) => (kind ? failureTypes[kind].status : []))
  return [...new Set(statuses)]
}
