import type { failureTypes } from 'agent-platform'
import { classOf } from './classify.ts'
import type { FailureClass } from './failure-classes.ts'
import { failureClasses } from './failure-classes.ts'
import { waitOf } from './retry-after.ts'
import type { VendorError } from './vendor-error.ts'
import { vendorErrorIn, vendorErrorOf } from './vendor-error.ts'

/** Why a model did not answer, for programs and people. */
export interface ModelFailure {
  readonly class: FailureClass
  readonly code: string
  readonly kind: keyof typeof failureTypes
  /** With the vendor's own words, without secrets, at most 300 characters of them. */
  readonly message: string
  /** The same request may be answered later. */
  readonly isPassing: boolean
  /** Milliseconds that the provider asks to wait; undefined where it does not say. */
  readonly waitMs: number | undefined
}

/** What providers throw: `APICallError` of the AI SDK, objects from streams, and errors of connections. */
interface Thrown {
  readonly statusCode?: unknown
  readonly isRetryable?: unknown
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: unknown
  readonly data?: unknown
  readonly message?: unknown
  readonly type?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  /** An event of a stream that is no part of a reply. */
  readonly value?: unknown
}

/** Of our own errors: what happened, where no server said it. */
interface Own {
  readonly failure?: FailureClass
  readonly waitMs?: number
}

/** Characters of a vendor's words that callers see. */
const WORDS = 300

/** What a provider threw, known by its shape: providers bring their own classes. */
export function modelFailureOf(thrown: unknown): ModelFailure {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Thrown
  const own = Object(error.data) as Own
  const vendor = vendorOf(error)
  const status = statusOf(error, vendor)
  const systemCode = systemCodeOf(error)
  const known = own.failure && Object.hasOwn(failureClasses, own.failure) ? own.failure : undefined
  const name = known ?? classOf({ status, error: vendor, systemCode })
  const { code, kind, isPassing, sentence } = failureClasses[name]
  const headers = error.responseHeaders ?? {}
  const waitMs = own.waitMs ?? waitOf({ status, headers, error: vendor })
  return {
    class: name,
    code,
    kind,
    message: messageOf(sentence, status, vendor?.message ?? wordsOf(error, systemCode)),
    isPassing:
      isPassing &&
      headers['x-should-retry'] !== 'false' &&
      (isTransient(name) || error.isRetryable !== false),
    waitMs
  }
}

/** Classes that pass whatever the client of the vendor thinks of the status. */
const isTransient = (name: FailureClass) => name === 'rate_limited' || name === 'overloaded'

function vendorOf({ data, responseBody, value, type, message, statusCode }: Thrown): VendorError | undefined {
  const found =
    vendorErrorIn(data) ??
    (typeof responseBody === 'string' ? vendorErrorOf(responseBody) : undefined) ??
    vendorErrorIn(value)
  // The clients of vendors drop details that they do not know.
  const whole = found && typeof responseBody === 'string' ? vendorErrorOf(responseBody) : undefined
  if (found) return { ...whole, ...found }
  return statusCode === undefined && typeof type === 'string' ? vendorErrorIn({ type, message }) : undefined
}

function statusOf({ statusCode }: Thrown, vendor: VendorError | undefined): number | undefined {
  if (typeof statusCode === 'number' && statusCode !== 200) return statusCode
  const told = Number(vendor?.code)
  return told >= 400 && told < 600 ? told : undefined
}

/** Of the error, or of what caused it; several addresses were tried where it stands for several. */
function systemCodeOf(error: Thrown): string | undefined {
  let at: unknown = error
  for (let depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth++) {
    const { code, errors, cause } = at as {
      code?: unknown
      errors?: readonly { code?: unknown }[]
      cause?: unknown
    }
    const found = code ?? errors?.[0]?.code
    if (typeof found === 'string' && /^[A-Z][A-Z0-9_]{2,63}$/.test(found)) return found
    at = cause
  }
  return undefined
}

function wordsOf({ message }: Thrown, systemCode: string | undefined): string | undefined {
  return typeof message === 'string' && message !== '' ? message : systemCode
}

function messageOf(sentence: string, status: number | undefined, words: string | undefined): string {
  const what = status === undefined ? sentence : `${sentence} (${status})`
  const said = words?.replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim().slice(0, WORDS)
  return said ? `${what}: ${said}` : what
}
