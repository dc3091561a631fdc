import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { JWTPayload } from 'jose'
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { unavailable } from '../contract/errors.ts'
import type { Grant } from './grants.ts'
import type { Principal } from './ownership.ts'
import { NAME_FORM, PROJECT_FORM } from './project-keys.ts'

/** JWT access tokens of the identity provider. */
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
  /** The issuer; without it no token is good. */
  readonly authUrl?: string | undefined
  /** The audience. */
  readonly baseUrl: string
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createTokens({ authUrl, baseUrl, log }: TokenOptions): Tokens {
  if (!authUrl) return { verify: async () => undefined }
  const keys = createRemoteJWKSet(new URL(authUrl), {
    cacheMaxAge: KEPT_MS,
    [customFetch]: async (_issuer, request) => fetch(await keysAddress(authUrl, request), request)
  })
  const findKey = async (...of: Parameters<typeof keys>) => {
    try {
      return await keys(...of)
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
        throw cause
      log.warn({ err: cause, issuer: authUrl }, 'The keys of the identity provider cannot be read')
      throw unavailable('The identity provider cannot be reached', { cause })
    }
  }
  const wanted = {
    algorithms: ALGORITHMS,
    issuer: authUrl,
    audience: baseUrl,
    clockTolerance: TOLERANCE_S,
    requiredClaims: ['exp', 'sub']
  }
  return {
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, findKey, wanted)
        return TYPE.test(protectedHeader.typ ?? '') ? grantOfClaims(payload, token) : undefined
      } catch (error) {
        if ((error as { kind?: string }).kind === 'unavailable') throw error
        return undefined
      }
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

function grantOfClaims(claims: JWTPayload, token: string): Grant | undefined {
  const { sub = '', exp = 0, scope, principal_type: type = 'user', project_id: project = 'default' } = claims
  if (typeof sub !== 'string' || !NAME_FORM.test(sub) || !isPrincipalType(type)) return undefined
  if (typeof project !== 'string' || !PROJECT_FORM.test(project)) return undefined
  const scopes = new Set(typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [])
  const credential = `jwt_${createHash('sha256').update(token).digest('base64url')}`
  const endsAt = (exp + TOLERANCE_S) * 1000
  // Ownership decides what people reach: an identity provider knows the scopes of the specification alone.
  const narrowed = type !== 'user'
  return {
    credential,
    principal: { id: sub, type, project, owner: sub, scopes, narrowed, credential, token: { endsAt } },
    expiresAt: endsAt
  }
}

const isPrincipalType = (type: unknown): type is Principal['type'] =>
  type === 'user' || type === 'agent' || type === 'service'
