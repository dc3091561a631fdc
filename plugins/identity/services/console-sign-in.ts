import type { Kernel, Principal } from 'agent-platform'
import { decodeJwt } from 'jose'
import inject from 'light-my-request'
import * as oauth from 'oauth4webapi'
import type { SignInAttempt, SignInMethod } from '../../console/contract.ts'
import { derived } from '../derived.ts'
import { CONSOLE_CLIENT, consoleCallback } from './clients.ts'
import type { IdentityProvider } from './provider.ts'
import type { Sessions } from './sessions.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  identityProvider: IdentityProvider
  sessions: Sessions
}
const client: oauth.Client = { client_id: CONSOLE_CLIENT, id_token_signed_response_alg: 'ES256' }

/**
 * Signs browsers in to the console by the provider beside it: an authorization code with PKCE, exchanged within the process, so that
 * the platform need not reach its own address. All that binds an attempt to its browser is derived from the secret that it keeps.
 */
export function createConsoleSignIn({ platform, identityProvider, sessions }: Deps): SignInMethod {
  const { issuer, scopes } = identityProvider
  const redirectUri = consoleCallback(platform.baseUrl)
  const server: oauth.AuthorizationServer = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    authorization_response_iss_parameter_supported: true
  }

  const fetchInside = async (
    _url: string,
    { headers, body }: oauth.CustomFetchOptions<'POST', URLSearchParams>
  ) => {
    const provider = await identityProvider.current()
    const { host, protocol } = new URL(issuer)
    const reply = await inject(provider.callback(), {
      method: 'POST',
      url: '/token',
      headers: { ...headers, host, 'x-forwarded-proto': protocol.slice(0, -1) },
      payload: body.toString()
    })
    const { 'content-type': type = '' } = reply.headers
    return new Response(reply.payload, {
      status: reply.statusCode,
      headers: { 'content-type': String(type) }
    })
  }

  return {
    label: 'Sign in',

    async begin({ secret, isFresh }) {
      const { state, nonce, verifier } = derived(secret)
      const address = new URL(`${issuer}/authorize`)
      const order = {
        client_id: CONSOLE_CLIENT,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: ['openid', ...scopes].join(' '),
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { prompt: 'login' })
      }
      for (const [name, value] of Object.entries(order)) address.searchParams.set(name, value)
      return address.href
    },

    async finish({ secret, project }: SignInAttempt, returned: URLSearchParams) {
      const { state, nonce, verifier } = derived(secret)
      const parameters = oauth.validateAuthResponse(server, client, returned, state)
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        redirectUri,
        verifier,
        {
          [oauth.customFetch]: fetchInside as never,
          [oauth.allowInsecureRequests]: true,
          additionalParameters: project === undefined ? {} : { project_id: project }
        }
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply, {
        expectedNonce: nonce,
        requireIdToken: true
      })
      const { sub: person, auth_time: since = 0 } = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken
      const claims = decodeJwt<{ project_id: string; scope: string; sid: string }>(tokens.access_token)
      const principal: Principal = {
        id: person,
        type: 'user',
        project: claims.project_id,
        owner: person,
        scopes: new Set(claims.scope.split(' ').filter(Boolean)),
        narrowed: false,
        credential: `session_${claims.sid}`
      }
      return {
        principal,
        opened: (credential: string, expiresAt: Date, userAgent: string | undefined) =>
          sessions.begin({
            owner: person,
            credential,
            browser: claims.sid,
            userAgent,
            // It may be that the browser was known: signing in anew proves nothing by itself.
            authenticatedAt: new Date(since * 1_000),
            expiresAt
          })
      }
    },

    /** The browser is asked again who it is, also by other applications. */
    end: (credential) => sessions.endOf(credential)
  }
}
