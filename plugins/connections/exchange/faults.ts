import { upstreamFailed, upstreamTimeout } from 'agent-platform'

/** Those of RFC 6749 and 7009; any other may be something that the provider was sent. */
const CODES: ReadonlySet<string> = new Set(
  (
    'invalid_request invalid_client invalid_grant unauthorized_client unsupported_grant_type invalid_scope ' +
    'access_denied unsupported_response_type server_error temporarily_unavailable unsupported_token_type ' +
    'login_required consent_required interaction_required account_selection_required'
  ).split(' ')
)

/** A word for what a provider answered that may be shown. */
export const shownCode = (code: unknown): string =>
  typeof code === 'string' && CODES.has(code) ? code : 'an error'

/** The grant is over, or was never good: asking again would not help. */
export const isRefused = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === 'grant_refused'

/** Seconds for which a provider wants to be left alone, if it said so. */
export const waitOf = (error: unknown): number | undefined =>
  (error as { waitSeconds?: number } | undefined)?.waitSeconds

const LONGEST_WAIT = 3_600

/** How long `Retry-After` says, as seconds or as a date. */
export function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.min(LONGEST_WAIT, Math.max(1, Math.ceil(seconds))) : undefined
}

/** The provider wants to be asked later: 429, or away for now. */
export function away(name: string, status: number, retryAfter: string | null): Error {
  const seconds = secondsOf(retryAfter) ?? (status === 429 ? 60 : undefined)
  const failure = upstreamFailed(
    status === 429 ? `${name} takes no more requests for now` : `${name} is away: it answered ${status}`,
    {
      code: status === 429 ? 'provider_rate_limited' : 'provider_away',
      ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } })
    }
  )
  return Object.assign(failure, seconds !== undefined && { waitSeconds: seconds })
}

export const noReply = (name: string): Error =>
  upstreamFailed(`${name} gave no valid reply`, { code: 'provider_reply_invalid' })

/** In words of our own: what providers say may hold what they were sent. */
export function faultOf(error: unknown, name: string): Error {
  const { kind, code, error: said, name: type } = Object(error) as Record<string, unknown>
  if (typeof kind === 'string') return error as Error
  if (type === 'TimeoutError') return upstreamTimeout(`${name} did not answer in time`)
  if (code !== 'OAUTH_RESPONSE_BODY_ERROR') return noReply(name)
  if (said === 'invalid_grant')
    return upstreamFailed(`${name} refuses: invalid_grant`, { code: 'grant_refused' })
  if (said === 'invalid_client' || said === 'unauthorized_client')
    return upstreamFailed(`${name} does not take the platform as its client: ${said}`, {
      code: 'client_refused'
    })
  return upstreamFailed(`${name} answered ${shownCode(said)}`, { code: 'provider_refused' })
}
