import * as oauth from 'oauth4webapi'
import type { Upstream, UpstreamAttempt } from '../contract.ts'
import { derived } from '../derived.ts'
import { createClientAuth, optionsOf } from './asking.ts'
import type { OpenId } from './configured.ts'

const BELIEVE_MS = 3_600_000
const GOOGLE = 'https://accounts.google.com'
/**
 * How a person is asked anew: by `max_age` the provider has to say when it was. Google asks nobody for a password again, and refuses
 * `login`: there the person chooses its account.
 */
const freshOf = (issuer: string): Readonly<Record<string, string>> =>
  issuer === GOOGLE ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' }

/**
 * The address of which the provider says that it is this account's now; undefined where it says none. Google says
 * `email_verified` also of addresses that an account once had elsewhere: it knows those of Gmail, and of a domain (`hd`) of its own.
 */
export function provedAddress(
  issuer: string,
  told: { readonly email?: unknown; readonly email_verified?: unknown; readonly hd?: unknown }
): string | undefined {
  if (told.email_verified !== true || typeof told.email !== 'string') return undefined
  const email = told.email.toLowerCase()
  const domain = email.split('@').at(-1)
  return issuer !== GOOGLE || domain === 'gmail.com' || told.hd === domain ? email : undefined
}

/** A provider that speaks OpenID Connect, found by its issuer. */
export function openIdUpstream(
  { key, name, issuer, clientId, clientSecret, domains = [] }: OpenId,
  { isProduction }: { isProduction: boolean }
): Upstream {
  const options = optionsOf(isProduction)
  const authOf = createClientAuth(clientId, clientSecret, isProduction)
  const client: oauth.Client = { client_id: clientId }
  let known: { readonly at: number; readonly server: oauth.AuthorizationServer } | undefined

  async function discover(): Promise<oauth.AuthorizationServer> {
    if (known && Date.now() - known.at < BELIEVE_MS) return known.server
    const at = new URL(issuer)
    const server = await oauth.processDiscoveryResponse(at, await oauth.discoveryRequest(at, options))
    known = { at: Date.now(), server }
    return server
  }

  return {
    key,
    name,
    async begin({ secret, redirectUri, isFresh }: UpstreamAttempt) {
      const { authorization_endpoint: endpoint } = await discover()
      if (endpoint === undefined) throw new Error('The provider has no authorization endpoint')
      const { state, nonce, verifier } = derived(secret)
      const address = new URL(endpoint)
      const order = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isFresh && freshOf(issuer))
      }
      for (const [parameter, value] of Object.entries(order)) address.searchParams.set(parameter, value)
      return address.href
    },

    async finish({ secret, redirectUri }: UpstreamAttempt, returned: URLSearchParams) {
      const server = await discover()
      const { state, nonce, verifier } = derived(secret)
      const parameters = oauth.validateAuthResponse(server, client, returned, state)
      const auth = authOf(server.token_endpoint_auth_methods_supported)
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth.proof,
        parameters,
        redirectUri,
        verifier,
        auth.options
      )
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply, {
        expectedNonce: nonce,
        requireIdToken: true
      })
      const claims = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken
      // Some tell an address by the userinfo endpoint alone.
      const told =
        claims.email === undefined && server.userinfo_endpoint !== undefined
          ? await oauth.processUserInfoResponse(
              server,
              client,
              claims.sub,
              await oauth.userInfoRequest(server, client, tokens.access_token, options)
            )
          : claims
      const email = provedAddress(server.issuer, { ...told, hd: claims.hd ?? told.hd })
      return {
        issuer: server.issuer,
        subject: claims.sub,
        email,
        name: typeof told.name === 'string' ? told.name : undefined,
        isWelcome: domains.includes(email?.split('@').at(-1) ?? ''),
        authenticatedAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1_000) : undefined
      }
    }
  }
}
