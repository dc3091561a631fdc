import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { createLocalJWKSet, createRemoteJWKSet, customFetch, decodeJwt, errors, jwtVerify } from 'jose'
import type { TokenIssuer } from '../contract/declarations.ts'
import { unavailable } from '../contract/errors.ts'
import type { Grant } from './grants.ts'
import type { Principal } from './ownership.ts'
import { NAME_FORM, PROJECT_FORM } from './project-keys.ts'

/** JWT access tokens of the identity provider, and of the packs that issue some. */
export interface Tokens {
  /** Who a token names; undefined where it is good for nothing. 503 where its keys cannot be had now. */
  verify(token: string): Promise<Grant | undefined>
}

const ALGORITHMS = ['ES256', 'EdDSA', 'RS256']
const TYPE = /^(?:application\/)?(?:at\+jwt|jwt)$/i
const TOLERANCE_S = 30
/** So long a provider may be away, and a key that it withdrew is still believed. */
const KEPT_MS = 60 * 60_000

interface TokenOptions {
  /** The issuer elsewhere, if there is one. */
  readonly authUrl?: string | undefined
  /** Those within the platform: their keys are asked for without a request. */
  readonly issuers?: () => readonly TokenIssuer[]
  /** The audience. */
  readonly baseUrl: string
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createTokens({ authUrl, issuers = () => [], baseUrl, log }: TokenOptions): Tokens {
  const elsewhere = authUrl === undefined ? undefined : remoteKeys(authUrl, log)
  const known = new WeakMap<JSONWebKeySet, JWTVerifyGetKey>()

  async function localKeys(issuer: TokenIssuer): Promise<JWTVerifyGetKey> {
    const set = await issuer.keys()
    const keys = known.get(set) ?? createLocalJWKSet(set)
    known.set(set, keys)
    return keys
  }

  async function keysOf(issuer: string | undefined): Promise<JWTVerifyGetKey | undefined> {
    if (issuer === undefined) return undefined
    const own = issuers().find((one) => one.issuer === issuer)
    if (own) return localKeys(own)
    return issuer === authUrl ? elsewhere : undefined
  }

  return {
    async verify(token) {
      try {
        // Not believed yet: it says whose key decides.
        const { iss: issuer } = decodeJwt(token)
        const keys = await keysOf(issuer)
        if (!keys || issuer === undefined) return undefined
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer,
          audience: baseUrl,
          clockTolerance: TOLERANCE_S,
          requiredClaims: ['exp', 'sub']
        })
        return TYPE.test(protectedHeader.typ ?? '') ? grantOfClaims(payload, token) : undefined
      } catch (error) {
        if ((error as { kind?: string }).kind === 'unavailable') throw error
        return undefined
      }
    }
  }
}

function remoteKeys(authUrl: string, log: TokenOptions['log']): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(authUrl), {
    cacheMaxAge: KEPT_MS,
    [customFetch]: async (_issuer, request) => fetch(await keysAddress(authUrl, request), request)
  })
  return async (...of) => {
    try {
      return await keys(...of)
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
        throw cause
      log.warn({ err: cause, issuer: authUrl }, 'The keys of the identity provider cannot be read')
      throw unavailable('The identity provider cannot be reached', { cause })
    }
  }
}

/** Where an issuer's keys are: by OpenID Connect discovery, else by OAuth 2.0 authorization server metadata. */
async function keysAddress(issuer: string, request: RequestInit): Promise<string> {
  const { origin, pathname, protocol } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  let response = await fetch(`${origin}${path}/.well-known/openid-configuration`, request)
  if (!response.ok) response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`, request)
  if (!response.ok) throw new Error(`Discovery was answered ${response.status}`)
  const { issuer: named, jwks_uri: address } = (await response.json()) as Record<string, string>
  if (named !== issuer) throw new Error('The discovery document is of another issuer')
  if (!address?.startsWith('https:') && !address?.startsWith(protocol))
    throw new Error('The key set is not behind HTTPS')
  return address
}

function grantOfClaims(claims: JWTPayload, text: string): Grant | undefined {
  const { sub = '', exp = 0, scope, principal_type: type = 'user', project_id: project = 'default' } = claims
  const { narrowed: isNarrowed = false, auth_time: since, cnf } = claims
  // Bound to a key (RFC 7800) whose proof is not checked here: whoever has only the token must not get in by it.
  if (cnf !== undefined) return undefined
  if (typeof sub !== 'string' || !NAME_FORM.test(sub) || !isPrincipalType(type)) return undefined
  if (typeof project !== 'string' || !PROJECT_FORM.test(project)) return undefined
  const scopes = new Set(typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [])
  const credential = `jwt_${createHash('sha256').update(text).digest('base64url')}`
  const endsAt = (exp + TOLERANCE_S) * 1000
  // Ownership decides what people reach, unless the issuer says that the token is an application's, which got a list of scopes.
  // Any issuer is believed that, since it takes away and never gives.
  const narrowed = type !== 'user' || isNarrowed !== false
  const token = { endsAt, ...(typeof since === 'number' && { authenticatedAt: since * 1000 }) }
  return {
    credential,
    principal: { id: sub, type, project, owner: sub, scopes, narrowed, credential, token },
    expiresAt: endsAt
  }
}

const isPrincipalType = (type: unknown): type is Principal['type'] =>
  type === 'user' || type === 'agent' || type === 'service'
