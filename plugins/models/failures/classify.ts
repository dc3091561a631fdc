import type { FailureClass } from './failure-classes.ts'
import { lengthWordings } from './length-wordings.ts'
import type { VendorError } from './vendor-error.ts'

/** What is known of a failure. */
export interface Known {
  readonly status: number | undefined
  readonly error: VendorError | undefined
  /** A word of the system for a connection that failed. */
  readonly systemCode: string | undefined
}

/** Characters of what a vendor says that are looked at. */
const LOOKED_AT = 4_096

const has = (text: string, words: readonly string[]) => words.some((word) => text.includes(word))

/** Of those the ones that are meant so in a limit of the rate: it is smaller than the request. */
const tooLongForLimit = [
  'request too large',
  'request_too_large',
  'must be reduced',
  'reduce your message size'
]
const noQuota = [
  'insufficient_quota',
  'insufficient_balance',
  'insufficient balance',
  'insufficient credits',
  'insufficient_credits',
  'exceeded_current_quota',
  'billing_hard_limit',
  'billing_not_active',
  'billing_error',
  'credit balance',
  'credits exhausted',
  'out of credits',
  'used all available credits',
  'requires more credits',
  'payment required',
  'spending limit',
  'arrearage'
]
const filter = [
  'content_filter',
  'content filter',
  'content_policy',
  'content management policy',
  'responsibleaipolicy',
  'moderation',
  'data_inspection_failed',
  'inappropriate content',
  'content exists risk',
  'flagged',
  'usage policies',
  'prohibited_content',
  'safety system',
  'sensitive'
]
const overload = [
  'overloaded',
  'over capacity',
  'capacity exceeded',
  'at capacity',
  'server is busy',
  'server_is_busy',
  'server_busy',
  'high demand',
  'temporarily unavailable',
  'is currently loading',
  'loading model'
]
const badKey = [
  'invalid_api_key',
  'api_key_invalid',
  'api key not valid',
  'incorrect api key',
  'invalid api key',
  'authentication_error',
  'authentication_failed',
  'invalid_authentication',
  'api key expired'
]
const noModel = [
  'model_not_found',
  'model not found',
  'no such model',
  'unknown model',
  'unknown_model',
  'not a valid model',
  'invalid model name',
  'invalid_model',
  'model does not exist',
  'deploymentnotfound',
  'is not found for api version',
  'model_decommissioned'
]
const reset = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED'])
const timeouts = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT'
])

/** Of what class a failure of a provider is. */
export function classOf({ status, error, systemCode }: Known): FailureClass {
  const said = [error?.code, error?.type, error?.status, error?.message]
    .filter((it) => it !== undefined)
    .join(' ')
    .slice(0, LOOKED_AT)
    .toLowerCase()
  if (status === undefined && said === '' && systemCode !== undefined)
    return timeouts.has(systemCode) || !reset.has(systemCode) ? 'unreachable' : 'cut_off'
  return bySaid(status, said, error) ?? byStatus(status) ?? 'failed'
}

/** By words, since statuses mean little: a limit by quota, by time, by size and by load may all be 429. */
function bySaid(
  status: number | undefined,
  said: string,
  error: VendorError | undefined
): FailureClass | undefined {
  const isServers = status !== undefined && status >= 500
  if (has(said, noQuota) || status === 402) return 'quota_exhausted'
  if (has(said, overload)) return 'overloaded'
  // Google says the same of a limit by the minute and of one by the day; only the first is worth a wait.
  if (status === 429 && said.includes('current quota'))
    return perDay(error?.details) || !hasDelay(error) ? 'quota_exhausted' : 'rate_limited'
  if (has(said, status === 429 ? tooLongForLimit : lengthWordings) || status === 413)
    return 'context_too_long'
  if (status === 429 || has(said, ['rate_limit', 'rate limit', 'too many requests', 'throttl']))
    return 'rate_limited'
  if (isServers) return undefined
  if (has(said, badKey) || status === 401) return 'unauthorized'
  if (has(said, filter)) return 'filtered'
  if (has(said, noModel) || (said.includes('model') && said.includes('does not exist')))
    return 'model_not_found'
  return undefined
}

function byStatus(status: number | undefined): FailureClass | undefined {
  if (status === undefined) return undefined
  if (status < 400) return 'malformed'
  if (status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'model_not_found'
  if (status === 408 || status === 504 || status === 524) return 'silent'
  if (status === 498 || status === 503 || status === 529) return 'overloaded'
  if (status === 502 || (status >= 520 && status < 524)) return 'unreachable'
  return status < 500 && status !== 409 && status !== 425 ? 'parameter_rejected' : 'failed'
}

/** Google's violations of a quota by the day. */
function perDay(details: unknown): boolean {
  return details !== undefined && JSON.stringify(details).slice(0, 16_384).includes('PerDay')
}

function hasDelay(error: VendorError | undefined): boolean {
  return (
    /retry (?:in|after) \d/i.test(error?.message ?? '') ||
    JSON.stringify(error?.details ?? '').includes('retryDelay')
  )
}
