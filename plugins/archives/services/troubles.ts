import type { Trouble } from '../schemas/report.ts'

/** After so many beginnings it is given up. */
export const MOST_ATTEMPTS = 4

const PASSING = new Set(['unavailable', 'rateLimited', 'upstream', 'upstreamTimeout', 'internal'])

interface Told {
  readonly kind?: string
  readonly code?: string
  readonly message?: string
}

/** Whether it would fail again in the same way. */
export const isFinal = (error: unknown): boolean => {
  const { kind } = (error ?? {}) as Told
  return kind !== undefined && !PASSING.has(kind)
}

/** What may be told of a failure: that of a caller as it is, and of others nothing. */
export function troubleOf(error: unknown): Trouble {
  const { kind, code, message } = (error ?? {}) as Told
  if (kind === undefined || kind === 'internal' || message === undefined)
    return { code: 'internal', message: 'Something went wrong here; the log of the platform tells more' }
  return { code: code ?? kind, message: message.slice(0, 2_000) }
}
