import { failureTypes } from 'agent-platform'
import type { RunError } from '../stores/row.ts'

/** Ends a step: the run goes on in another generation or on another instance. */
export const HAND_OVER = Object.assign(new Error('The run goes on elsewhere'), { code: 'handed_over' })

/** A failure that ends a run, as its caller may see it. */
export class RunFailure extends Error {
  readonly code: string
  readonly kind: string
  constructor(kind: keyof typeof failureTypes, code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.code = code
  }
}

/** The failure again, for the caller of a run that ended with it. */
export const failureOf = ({ kind, code, message }: RunError): Error =>
  new RunFailure(kind as keyof typeof failureTypes, code, message)

/** What the stream and the record say of an error: nothing of one that was not meant for callers. */
export function runErrorOf(error: unknown): RunError {
  if (error instanceof Error && 'kind' in error && Object.hasOwn(failureTypes, String(error.kind))) {
    const kind = error.kind as keyof typeof failureTypes
    return { message: error.message, code: codeOf(error) ?? failureTypes[kind].type, kind }
  }
  return { message: 'The run failed', code: 'internal', kind: 'internal' }
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

interface CallError {
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** What a provider threw, known by its shape: providers bring their own classes. */
export function modelFailure(error: unknown): RunFailure {
  if (error instanceof Error && 'kind' in error) return error as RunFailure
  const { statusCode } = (error ?? {}) as CallError
  const said =
    statusCode === undefined
      ? 'The model could not be reached, or broke off'
      : `The model answered ${statusCode}`
  const detail = statusCode === undefined || statusCode >= 500 ? '' : detailOf(error)
  return new RunFailure('upstream', 'model_error', `${said}${detail}`, error)
}

/** A word of a provider's own, where it blames the request: cut, on one line. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return ''
  return `: ${error.message.replaceAll(/\s+/g, ' ').slice(0, 300)}`
}

/** Whether it may go well the next time, and the milliseconds that the provider asks to wait. */
export function retryAfter(error: unknown): number | undefined {
  const { isRetryable, responseHeaders } = (error ?? {}) as CallError
  if (isRetryable === false || (error instanceof Error && 'kind' in error)) return undefined
  const seconds = Number(responseHeaders?.['retry-after'] ?? 0)
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0
}
