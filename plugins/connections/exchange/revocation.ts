import type { Provider } from '../catalogue/provider.ts'

interface Client {
  readonly clientId: string
  readonly secret: string
}
interface Order {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether the client's credentials are sent as `Authorization: Basic`. */
  readonly isBasic?: boolean
}

/** How that provider is told that these tokens are over; undefined where it has no way. */
export function revocationOf(
  { revocation, auth, headers: more = {} }: Provider,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | undefined },
  client: Client
): Order | undefined {
  if (!revocation) return undefined
  const { url, style } = revocation
  const json = { ...more, accept: 'application/json', 'content-type': 'application/json' }
  switch (style) {
    // The longer-lived one takes the other with it (RFC 7009, 2.1).
    case 'rfc7009': {
      const fields = new URLSearchParams({
        token: refreshToken ?? accessToken,
        token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
        ...(auth !== 'basic' && { client_id: client.clientId }),
        ...(auth === 'post' && { client_secret: client.secret })
      })
      const headers = {
        ...more,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded'
      }
      return { url, method: 'POST', headers, body: fields.toString(), isBasic: auth === 'basic' }
    }
    case 'json':
      return {
        url,
        method: 'POST',
        headers: json,
        body: JSON.stringify({ token: accessToken }),
        isBasic: true
      }
    case 'bearer':
      return { url, method: 'POST', headers: { ...more, authorization: `Bearer ${accessToken}` } }
    // The whole consent goes, not this token alone.
    case 'github':
      return {
        url: url.replace('{clientId}', encodeURIComponent(client.clientId)),
        method: 'DELETE',
        headers: json,
        body: JSON.stringify({ access_token: accessToken }),
        isBasic: true
      }
    case 'hubspot':
      return refreshToken === undefined
        ? undefined
        : { url: url.replace('{token}', encodeURIComponent(refreshToken)), method: 'DELETE', headers: more }
  }
}
