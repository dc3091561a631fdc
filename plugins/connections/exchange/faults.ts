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

/** What token endpoints say of a refresh token that only the person can replace, by connecting again. */
const OVER: ReadonlySet<string> = new Set(
  (
    'invalid_grant invalid_token expired_token token_expired token_revoked invalid_refresh_token bad_refresh_token ' +
    'unauthorized_client access_denied interaction_required consent_required login_required ' +
    'account_selection_required account_inactive'
  ).split(' ')
)
const TRANSIENT: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'slow_down'])

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code

/** The refresh token is no longer valid: asking again would not help. */
export const isOver = (error: unknown): boolean => codeOf(error) === 'grant_refused'
/** The provider rejects the renewal, in words that do not say whether it is for good. */
export const isRejected = (error: unknown): boolean => codeOf(error) === 'provider_refused'

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
  if (TRANSIENT.has(String(said)))
    return upstreamFailed(`${name} is away: it answered ${shownCode(said)}`, { code: 'provider_away' })
  if (said === 'invalid_client' || said === 'unauthorized_client')
    return upstreamFailed(`${name} does not take the platform as its client: ${said}`, {
      code: 'client_refused'
    })
  return upstreamFailed(`${name} answered ${shownCode(said)}`, { code: 'provider_refused' })
}

/** The same of a renewal: the message of `grant_refused` names the provider's word for it. */
export function renewalFaultOf(error: unknown, name: string): Error {
  const { code, error: said } = Object(error) as Record<string, unknown>
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && OVER.has(String(said)))
    return upstreamFailed(`${name} does not renew the token (${said})`, { code: 'grant_refused' })
  return faultOf(error, name)
}
