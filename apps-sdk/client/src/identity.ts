import { ApiError } from './errors.ts'

/** A session of a person, as the device flow or the authorization-code flow of the platform's identity provider ends in it. */
export interface IdentitySession {
  /** Good once: each refresh brings another one. */
  readonly refreshToken: string
  /** The application that signed in. Default: the command line. */
  readonly clientId?: string | undefined
  /**
   * In which project access tokens are to be good. Default: the one that the person chose, which is the only one for applications
   * other than the command line.
   */
  readonly projectId?: string | undefined
  /** An access token that is there already, and when it ends, in milliseconds since 1970. */
  readonly accessToken?: string | undefined
  readonly expiresAt?: number | undefined
  /** Is awaited before the new access token is used: what is not kept then is lost. */
  readonly onRefreshed?: ((session: RefreshedSession) => void | Promise<void>) | undefined
}
export interface RefreshedSession {
  readonly refreshToken: string
  readonly accessToken: string
  readonly expiresAt: number
}

/** Where a credential comes from that changes in time. */
export interface Credential {
  /** The one to send now. */
  token(): Promise<string>
  /** Another one in place of `refused`; undefined where there is none. */
  renew(refused: string): Promise<string | undefined>
}

/** So long before its end a token is not used any more. */
const AHEAD_MS = 30_000

/** Access tokens of a session: refreshed before they end, and once where one is refused, by one request for all callers. */
export function createIdentity(
  session: IdentitySession,
  { baseUrl, fetch }: { readonly baseUrl: string; readonly fetch: typeof globalThis.fetch }
): Credential {
  const { clientId = 'platform-cli', projectId, onRefreshed } = session
  let { refreshToken, accessToken, expiresAt = 0 } = session
  let refreshing: Promise<string> | undefined

  async function refresh(): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
      ...(projectId !== undefined && { project_id: projectId })
    })
    const response = await fetch(
      new Request(`${baseUrl}/identity/token`, { method: 'POST', body: form, redirect: 'manual' })
    )
    const reply = (await response.json().catch(() => ({}))) as Record<string, unknown>
    if (!response.ok || typeof reply.access_token !== 'string') throw refusedBy(response)
    accessToken = reply.access_token
    if (typeof reply.refresh_token === 'string') refreshToken = reply.refresh_token
    expiresAt = Date.now() + Number(reply.expires_in) * 1_000
    await onRefreshed?.({ refreshToken, accessToken, expiresAt })
    return accessToken
  }

  function refreshOnce(): Promise<string> {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  return {
    token: async () =>
      accessToken !== undefined && Date.now() < expiresAt - AHEAD_MS ? accessToken : refreshOnce(),
    renew: async (refused) =>
      accessToken !== undefined && accessToken !== refused ? accessToken : refreshOnce()
  }
}

/** Never with what the reply said: that may name the token. */
function refusedBy({ status, headers }: Response): ApiError {
  const requestId = headers.get('x-request-id') ?? undefined
  const message = `${status}: the session has ended, sign in once more`
  return status === 400 || status === 401
    ? new ApiError({ status: 401, type: 'authentication_error', message, requestId })
    : new ApiError({ status, type: 'unexpected_reply', message: `${status}: no access token`, requestId })
}
