import { failureTypes } from 'agent-platform'
import type { ModelFailure } from '../../models/contract.ts'
import type { RunError } from '../stores/row.ts'

/** Ends a step: the run goes on in another generation or on another instance. */
export const HAND_OVER = Object.assign(new Error('The run goes on elsewhere'), { code: 'handed_over' })

/** A failure that ends a run, as its caller may see it. */
export class RunFailure extends Error {
  readonly code: string
  readonly kind: string
  /** When the provider is to be asked again. */
  readonly retryAt: string | undefined
  constructor(
    kind: keyof typeof failureTypes,
    code: string,
    message: string,
    { cause, retryAt }: { readonly cause?: unknown; readonly retryAt?: string | undefined } = {}
  ) {
    super(message, { cause })
    this.kind = kind
    this.code = code
    this.retryAt = retryAt
  }

  /** What a response to the caller says beside its body. */
  get headers(): Readonly<Record<string, string>> | undefined {
    if (this.retryAt === undefined) return undefined
    const seconds = Math.ceil((Date.parse(this.retryAt) - Date.now()) / 1_000)
    return { 'retry-after': String(Math.max(seconds, 1)) }
  }
}

/** The failure again, for the caller of a run that ended with it. */
export const failureOf = ({ kind, code, message, retryAt }: RunError): Error =>
  new RunFailure(kind as keyof typeof failureTypes, code, message, { retryAt })

/** What the stream and the record say of an error: nothing of one that was not meant for callers. */
export function runErrorOf(error: unknown): RunError {
  if (error instanceof Error && 'kind' in error && Object.hasOwn(failureTypes, String(error.kind))) {
    const kind = error.kind as keyof typeof failureTypes
    const { code, retryAt } = error as { code?: unknown; retryAt?: unknown }
    return {
      message: error.message,
      code: typeof code === 'string' ? code : failureTypes[kind].type,
      kind,
      ...(typeof retryAt === 'string' && { retryAt })
    }
  }
  return { message: 'The run failed', code: 'internal', kind: 'internal' }
}

/** Milliseconds in which a response that names no wait is worth another try, as its header. */
const SOON_MS = 5_000

/** What a model threw, as it ends a run; `tooLong`: the provider names a wait that ends after the run does. */
export function modelFailure(
  { kind, code, message, isPassing, waitMs }: ModelFailure,
  cause: unknown,
  tooLong: boolean
): RunFailure {
  const isLater = isPassing && (waitMs !== undefined || kind === 'rateLimited')
  const retryAt = isLater ? new Date(Date.now() + (waitMs ?? SOON_MS)).toISOString() : undefined
  const said =
    tooLong && retryAt
      ? `${message}. Retry after ${retryAt}; the run would end before (RUN_SECONDS)`
      : message
  return new RunFailure(kind, code, said, { cause, retryAt })
}
