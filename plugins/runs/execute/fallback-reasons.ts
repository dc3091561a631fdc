import type { Fallback } from '../schemas/fallbacks.ts'

/** By the code of a failure. What is wrong with the request, and what a model refuses to say, is not there. */
const reasons: Readonly<Record<string, Fallback['reason']>> = {
  model_rate_limited: 'rate_limited',
  model_quota_exhausted: 'quota_exhausted',
  model_overloaded: 'unavailable',
  model_error: 'unavailable',
  model_unreachable: 'unreachable',
  model_cut_off: 'unreachable',
  model_timeout: 'silent',
  model_not_configured: 'not_configured'
}

/** Why another model may do better; undefined where it would not. */
export function fallbackReason(error: unknown): Fallback['reason'] | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && Object.hasOwn(reasons, code) ? reasons[code] : undefined
}
