import type { BasicCredentials, Kernel } from 'agent-platform'
import { createBasicCredentials, invalid, unavailable } from 'agent-platform'
import * as oauth from 'oauth4webapi'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Configured } from '../catalogue/configured.ts'
import type { ConnectionSettings } from '../settings.ts'
import { createAsk, createTokenFetch } from './asking.ts'
import { away, faultOf, noReply, renewalFaultOf } from './faults.ts'
import { partAt, readFields } from './replies.ts'
import { revocationOf } from './revocation.ts'

export type Exchange = ReturnType<typeof createExchange>

/** What a provider gave. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Undefined where it does not say. */
  readonly scopes: string[] | undefined
  /** In seconds; undefined where the token does not end. */
  readonly expiresIn: number | undefined
}
/** Whose a token is. */
export interface Account {
  readonly id: string | null
  readonly label: string | null
}

interface Deps extends Pick<Kernel, 'platform'> {
  settings: ConnectionSettings
  outgoing: Outgoing
}

const OVER = new Set(['invalid_auth', 'token_revoked', 'token_expired', 'account_inactive', 'not_authed'])
/** The credentials are added by the token `fetch`, which knows in which form the provider accepts them. */
const inHeader: oauth.ClientAuth = () => undefined
const TOKEN = /^[\x21-\x7e]{1,65536}$/

/** Talks to providers: by the standard, and where they differ as their entry in the catalogue says. */
export function createExchange({ platform, settings, outgoing }: Deps) {
  const ask = createAsk(() => outgoing, settings.providerSeconds)

  const credentials = new Map<string, BasicCredentials>()

  const redirectUri = (key: string) => `${platform.baseUrl}/v1/oauth/callback/${key}`

  function clientOf({ clientId, clientSecret, auth, name, missing }: Configured) {
    if (clientId === undefined || missing.length > 0)
      throw unavailable(`${name} is not configured: set ${missing.join(' and ')}`, {
        code: 'provider_not_configured'
      })
    const secret = clientSecret ?? ''
    const proof = auth === 'none' ? oauth.None() : auth === 'post' ? oauth.ClientSecretPost(secret) : inHeader
    return { client: { client_id: clientId }, proof, clientId, secret }
  }

  function basicOf(provider: Configured): BasicCredentials {
    const known = credentials.get(provider.key)
    if (known) return known
    const { clientId, secret } = clientOf(provider)
    const created = createBasicCredentials(clientId, secret)
    credentials.set(provider.key, created)
    return created
  }

  const serverOf = (provider: Configured) => ({
    issuer: provider.issuer ?? new URL(provider.authorizationUrl).origin,
    token_endpoint: provider.tokenUrl,
    authorization_endpoint: provider.authorizationUrl,
    authorization_response_iss_parameter_supported: provider.sendsIssuer === true
  })

  const optionsOf = (provider: Configured) => ({
    [oauth.customFetch]: createTokenFetch(
      ask,
      provider,
      provider.auth === 'basic' ? basicOf(provider) : undefined
    ) as never,
    [oauth.allowInsecureRequests]: !platform.production
  })

  /** Where somebody is asked. */
  async function authorizationUrl(
    provider: Configured,
    { state, codeVerifier, scopes }: { state: string; codeVerifier: string; scopes: readonly string[] }
  ): Promise<string> {
    const { clientId } = clientOf(provider)
    const { scopeParam = 'scope', scopeSeparator = ' ', params = {} } = provider
    const url = new URL(provider.authorizationUrl)
    const order = {
      ...params,
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri(provider.key),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { [scopeParam]: scopes.join(scopeSeparator) })
    }
    for (const [name, value] of Object.entries(order)) url.searchParams.set(name, value)
    return url.href
  }

  /** What was brought back, if it is of that provider (RFC 9207); 400 otherwise. */
  function checkReturned(provider: Configured, brought: URLSearchParams): URLSearchParams {
    const parameters = new URLSearchParams(brought)
    // Of a provider that has no name of its own nothing can be compared; the address that it sends people to is its own.
    if (provider.issuer === undefined) parameters.delete('iss')
    const { client } = clientOf(provider)
    try {
      return oauth.validateAuthResponse(serverOf(provider), client, parameters, oauth.skipStateCheck)
    } catch {
      throw invalid('iss', 'That reply is not of the provider that was asked', 'issuer_wrong')
    }
  }

  async function exchangeCode(provider: Configured, returned: URLSearchParams, codeVerifier: string) {
    const { client, proof } = clientOf(provider)
    const server = serverOf(provider)
    try {
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        returned,
        redirectUri(provider.key),
        codeVerifier,
        optionsOf(provider)
      )
      return tokensOf(provider, await oauth.processAuthorizationCodeResponse(server, client, reply))
    } catch (error) {
      throw faultOf(error, provider.name)
    }
  }

  async function refresh(provider: Configured, refreshToken: string): Promise<Tokens> {
    const { client, proof } = clientOf(provider)
    const server = serverOf(provider)
    try {
      const options = optionsOf(provider)
      const reply = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, options)
      return tokensOf(provider, await oauth.processRefreshTokenResponse(server, client, reply))
    } catch (error) {
      throw renewalFaultOf(error, provider.name)
    }
  }

  function tokensOf({ name }: Configured, given: oauth.TokenEndpointResponse): Tokens {
    const { access_token: accessToken, refresh_token: refreshToken, scope, expires_in: expiresIn } = given
    if (given.token_type !== 'bearer' || !TOKEN.test(accessToken)) throw noReply(name)
    if (refreshToken !== undefined && !TOKEN.test(refreshToken)) throw noReply(name)
    const scopes = scope?.split(/[ ,]+/).filter((it) => it !== '' && it.length <= 500)
    // RFC 6749 has no empty scope: a reply with one says nothing about the scopes.
    return { accessToken, refreshToken, scopes: scopes?.length ? scopes.slice(0, 500) : undefined, expiresIn }
  }

  /** Whose the token is: null where it is not taken any more, undefined where the provider cannot be asked. */
  async function account(provider: Configured, token: string): Promise<Account | null | undefined> {
    const { account: question, name } = provider
    if (!question) return undefined
    const { url, method = 'GET', headers, body, label, id } = question
    try {
      const said = await ask(url, {
        method,
        headers: { accept: 'application/json', ...headers, authorization: `Bearer ${token}` },
        body
      })
      if (said.status === 401) return null
      const fields = readFields(said.text, said.contentType)
      // Slack says no with status 200.
      if (fields?.ok === false && OVER.has(String(fields.error))) return null
      if (said.status === 429 || said.status >= 500) throw away(name, said.status, said.retryAfter)
      if (said.status >= 400 || !fields || fields.ok === false) throw noReply(name)
      return { label: textAt(fields, label), id: textAt(fields, id) }
    } catch (error) {
      throw faultOf(error, name)
    }
  }

  /** Tells the provider that it is over; false where it cannot be told. */
  async function revoke(
    provider: Configured,
    tokens: { accessToken: string; refreshToken: string | undefined }
  ): Promise<boolean> {
    const { clientId, secret } = clientOf(provider)
    const order = revocationOf(provider, tokens, { clientId, secret })
    if (!order) return false
    try {
      const { url, isBasic, ...rest } = order
      const send = (authorization: string) =>
        ask(url, { ...rest, headers: { ...rest.headers, authorization } })
      const { status, retryAfter } = isBasic
        ? await basicOf(provider)(send, ({ status }) => status === 401)
        : await ask(url, rest)
      if (status === 429 || status >= 500) throw away(provider.name, status, retryAfter)
      // What it does not know any more is over.
      if (status >= 400 && status !== 404 && status !== 401 && status !== 422) throw noReply(provider.name)
      return true
    } catch (error) {
      throw faultOf(error, provider.name)
    }
  }

  return { authorizationUrl, checkReturned, exchangeCode, refresh, account, revoke }
}

/** On one line, and not long: it is shown. */
function textAt(fields: object, pointers: readonly string[]): string | null {
  for (const pointer of pointers) {
    const value = partAt(fields, pointer)
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const text = String(value)
      .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
      .trim()
      .slice(0, 200)
    if (text !== '') return text.toWellFormed()
  }
  return null
}
