/** Every failure that a caller may see: its status, the `type` of the envelope, and who is to blame. */
export const failureTypes = {
  invalid: { status: 400, type: 'invalid_request_error' },
  unauthenticated: { status: 401, type: 'authentication_error' },
  paymentRequired: { status: 402, type: 'payment_required' },
  forbidden: { status: 403, type: 'permission_error' },
  notFound: { status: 404, type: 'not_found' },
  tooSlow: { status: 408, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'conflict_error' },
  gone: { status: 410, type: 'not_found' },
  preconditionFailed: { status: 412, type: 'precondition_failed' },
  tooLarge: { status: 413, type: 'request_too_large' },
  uriTooLong: { status: 414, type: 'invalid_request_error' },
  unsupportedMedia: { status: 415, type: 'unsupported_media_type' },
  rangeNotSatisfiable: { status: 416, type: 'invalid_request_error' },
  rateLimited: { status: 429, type: 'rate_limit_error' },
  headersTooLarge: { status: 431, type: 'invalid_request_error' },
  internal: { status: 500, type: 'api_error' },
  notImplemented: { status: 501, type: 'invalid_request_error' },
  upstream: { status: 502, type: 'upstream_error' },
  unavailable: { status: 503, type: 'service_unavailable' },
  upstreamTimeout: { status: 504, type: 'upstream_timeout' },
  insufficientStorage: { status: 507, type: 'insufficient_storage' }
} as const

export type FailureKind = keyof typeof failureTypes

/** What a caller was not let at, and whose it is: for its owner, who may ask why, and never sent to the caller. */
export interface Refused {
  /** As people call it: `Agent`. */
  readonly what: string
  readonly id?: string
  readonly project: string
  readonly owner: string
}

export interface FailureDetails {
  /** JSON pointer into the body, or the name of a path or query parameter. */
  param?: string
  /** Tells causes of one type apart. */
  code?: string
  headers?: Readonly<Record<string, string>>
  /** Logged with the failure, never sent. Null: a fault of the caller's own, of which a 5xx is no line among the errors. */
  cause?: unknown
  /** Of a 403. */
  refused?: Refused
}

/**
 * A failure that is meant for the caller. Anything else that is thrown becomes a 500 without details.
 * Told apart by `kind` and `code`, never by `instanceof`, so that it may come from any version of a pack.
 */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly param: string | undefined
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly refused: Refused | undefined

  constructor(
    kind: FailureKind,
    message: string,
    { param, code, headers, cause, refused }: FailureDetails = {}
  ) {
    super(message, { cause })
    this.name = 'Failure'
    this.kind = kind
    this.param = param
    this.code = code
    this.headers = headers
    this.refused = refused
  }
}

const of =
  (kind: FailureKind) =>
  (message: string, details?: FailureDetails): Failure =>
    new Failure(kind, message, details)

/** 400. `param` names what was wrong: every 400 carries one. */
export const invalid = (param: string, message: string, code?: string): Failure =>
  new Failure('invalid', message, { param, ...(code && { code }) })
/** 401, with the challenge of RFC 6750. */
export const unauthenticated = (message: string, code?: string): Failure =>
  new Failure('unauthenticated', message, {
    headers: { 'www-authenticate': 'Bearer' },
    ...(code && { code })
  })
/** 404: `what` is the resource's name as the caller knows it. */
export const notFound = (what: string, details?: FailureDetails): Failure =>
  new Failure('notFound', `${what} not found`, details)
/** 410 for what was there, and is not kept any more. */
export const gone = of('gone')
/** 416 for a `Range` beyond the end of what has that many bytes. */
export const rangeNotSatisfiable = (size: number): Failure =>
  new Failure('rangeNotSatisfiable', `There are ${size} bytes`, {
    param: 'range',
    headers: { 'content-range': `bytes */${size}` }
  })
/** 429, with the wait in whole seconds in the header and in the message. */
export const rateLimited = (seconds: number, what = 'Rate limit exceeded'): Failure =>
  new Failure('rateLimited', `${what}. Retry-After: ${seconds}`, {
    headers: { 'retry-after': String(seconds) }
  })
/** 429 for what does not come back by waiting. */
export const exhausted = of('rateLimited')
export const paymentRequired = of('paymentRequired')
export const forbidden = of('forbidden')
export const conflict = of('conflict')
export const preconditionFailed = of('preconditionFailed')
export const tooLarge = of('tooLarge')
export const unsupportedMedia = of('unsupportedMedia')
export const upstreamFailed = of('upstream')
export const upstreamTimeout = of('upstreamTimeout')
export const unavailable = of('unavailable')
export const insufficientStorage = of('insufficientStorage')

export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'kind' in error && Object.hasOwn(failureTypes, String(error.kind))
