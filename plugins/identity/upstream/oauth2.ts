import * as oauth from 'oauth4webapi'
import type { Upstream, UpstreamAttempt } from '../contract.ts'
import { derived } from '../derived.ts'
import { ask, createClientAuth } from './asking.ts'
import type { OAuth2 } from './configured.ts'

/** A provider that speaks OAuth 2.0 alone, as GitHub does: who it is says its API, to the token that was just given. */
export function oauth2Upstream(
  { key, name, clientId, clientSecret, domains = [], ...addresses }: OAuth2,
  { isProduction }: { isProduction: boolean }
): Upstream {
  const { authorizationUrl, tokenUrl, userUrl, emailsUrl, scope, freshPrompt } = addresses
  const authOf = createClientAuth(clientId, clientSecret, isProduction)
  const client: oauth.Client = { client_id: clientId }
  const { origin: issuer } = new URL(authorizationUrl)
  const server: oauth.AuthorizationServer = { issuer, token_endpoint: tokenUrl }

  async function read(url: string, token: string): Promise<unknown> {
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': 'agent-platform'
    }
    const reply = await ask(url, { headers })
    if (!reply.ok) throw new Error(`${name} answered ${reply.status}`)
    return reply.json()
  }

  return {
    key,
    name,
    async begin({ secret, redirectUri, isFresh }: UpstreamAttempt) {
      const { state, verifier } = derived(secret)
      const address = new URL(authorizationUrl)
      const order = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isFresh && freshPrompt !== undefined && { prompt: freshPrompt })
      }
      for (const [parameter, value] of Object.entries(order)) address.searchParams.set(parameter, value)
      return address.href
    },

    async finish({ secret, redirectUri }: UpstreamAttempt, returned: URLSearchParams) {
      const { state, verifier } = derived(secret)
      const given = new URLSearchParams(returned)
      // It has no name of its own to compare with; where it says one, that is of its host.
      const said = given.get('iss')
      if (said !== null && URL.parse(said)?.origin !== issuer)
        throw new Error('That reply is of another provider')
      given.delete('iss')
      const parameters = oauth.validateAuthResponse(server, client, given, state)
      const { proof, options } = authOf(['client_secret_post'])
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        parameters,
        redirectUri,
        verifier,
        options
      )
      // GitHub says no with status 200, which is read as no token.
      const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, reply)
      const user = Object(await read(userUrl, token)) as { id?: unknown; name?: unknown; login?: unknown }
      if (typeof user.id !== 'number' && typeof user.id !== 'string') throw new Error(`${name} names nobody`)
      const emails = await read(emailsUrl, token)
      const email = (Array.isArray(emails) ? emails : [])
        .find((one) => one?.primary === true && one.verified === true && typeof one.email === 'string')
        ?.email.toLowerCase() as string | undefined
      const called = [user.name, user.login].find((it) => typeof it === 'string' && it !== '')
      return {
        issuer,
        subject: String(user.id),
        email,
        name: called as string | undefined,
        isWelcome: domains.includes(email?.split('@').at(-1) ?? ''),
        authenticatedAt: undefined
      }
    }
  }
}
