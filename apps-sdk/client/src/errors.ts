import type { components } from './api.ts'

/** The `type` of the platform's error envelope; `unexpected_reply` stands for replies that are not the platform's. */
export type ErrorType = components['schemas']['Error']['error']['type'] | 'unexpected_reply'

interface ErrorDetails {
  readonly status: number
  readonly type: ErrorType
  readonly message: string
  readonly code?: string | undefined
  readonly param?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly runId?: string | undefined
}

/** A refusal or failure that the platform, or something in front of it, answered with. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly type: ErrorType
  /** Tells causes of one type apart. */
  readonly code: string | undefined
  /** What was wrong: a JSON pointer into the body, or the name of a parameter. */
  readonly param: string | undefined
  /** Names the request in the platform's log. */
  readonly requestId: string | undefined
  /** Seconds to wait, where the reply says so. */
  readonly retryAfter: number | undefined
  /** The run that was accepted before it failed. */
  readonly runId: string | undefined

  constructor({ status, type, message, code, param, requestId, retryAfter, runId }: ErrorDetails) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
    this.param = param
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.runId = runId
  }
}

/** The platform could not be reached, or the connection broke before the reply was whole. `cause` knows more. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** A stream that cannot be told truthfully any more: the platform left out events. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
}

/** The error that a reply of status 400 or above stands for. What is not in the envelope is not quoted. */
export function errorOf({ status, statusText, headers }: Response, text: string): ApiError {
  const header = (name: string) => headers.get(name) ?? undefined
  const told = {
    status,
    requestId: header('x-request-id'),
    retryAfter: retryAfterOf(headers),
    runId: header('x-run-id')
  }
  const error = envelopeOf(text)
  if (error) return new ApiError({ ...told, ...error })
  const message = `${status} ${statusText}`.trim()
  return new ApiError({
    ...told,
    type: 'unexpected_reply',
    message: `${message}: the reply is not the platform's`
  })
}

function envelopeOf(text: string): components['schemas']['Error']['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<components['schemas']['Error']>
    return typeof error?.type === 'string' && typeof error.message === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

/** Seconds to wait as the header says: a number, or a date by the server's clock. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000)
}
