import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { JWTPayload, JWTVerifyOptions } from 'jose'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { Cache } from '../data/cache.ts'
import type { Principal } from '../ownership.ts'
import type { Grant } from './grants.ts'
import type { FindKey } from './key-set.ts'
import { createKeySet } from './key-set.ts'
import { NAME_FORM, PROJECT_FORM } from './project-keys.ts'

/** JWT access tokens of the identity provider. */
export interface Tokens {
  /** Who a token names; undefined where it is good for nothing. 503 where its keys cannot be had now. */
  verify(token: string): Promise<Grant | undefined>
}

const ALGORITHMS = ['ES256', 'EdDSA', 'RS256']
const TOLERANCE_S = 30
const MAX_LENGTH = 16 * 1024
const MAX_SCOPES = 200
const form = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/** Without `authUrl`, the issuer, no token is good. `baseUrl` is the audience. */
export function createTokens({
  authUrl,
  baseUrl,
  cache,
  log,
  now = Date.now
}: {
  authUrl?: string
  baseUrl: string
  cache: Cache
  log: Pick<FastifyBaseLogger, 'warn'>
  now?: () => number
}): Tokens {
  if (!authUrl) return { verify: async () => undefined }
  const keySet = createKeySet({ issuer: authUrl, cache, log, now })

  /** Undefined where the token is bad, 'unknown key' where another key set might tell. */
  async function claimsOf(token: string, find: FindKey): Promise<JWTPayload | 'unknown key' | undefined> {
    const options: JWTVerifyOptions = {
      algorithms: ALGORITHMS,
      issuer: authUrl,
      audience: baseUrl,
      clockTolerance: TOLERANCE_S,
      currentDate: new Date(now()),
      requiredClaims: ['exp', 'sub']
    }
    try {
      return (await jwtVerify(token, find, options)).payload
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return 'unknown key'
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return undefined
      for await (const key of error) {
        const verified = await jwtVerify(token, key, options).catch(() => undefined)
        if (verified) return verified.payload
      }
      return undefined
    }
  }

  return {
    async verify(token) {
      if (token.length > MAX_LENGTH || !form.test(token) || !isAccessToken(token)) return undefined
      let claims = await claimsOf(token, await keySet.current())
      if (claims === 'unknown key') {
        const find = await keySet.again()
        claims = find && (await claimsOf(token, find))
      }
      return claims && claims !== 'unknown key' ? grantOfClaims(claims, token) : undefined
    }
  }
}

/** By the header alone, before any key is looked for. */
function isAccessToken(token: string): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(token)
    return (
      alg !== undefined &&
      ALGORITHMS.includes(alg) &&
      typeof typ === 'string' &&
      /^(?:application\/)?(?:at\+jwt|jwt)$/i.test(typ)
    )
  } catch {
    return false
  }
}

function grantOfClaims(claims: JWTPayload, token: string): Grant | undefined {
  const { sub = '', exp = 0, scope, principal_type: type = 'user', project_id: project = 'default' } = claims
  if (!NAME_FORM.test(sub) || !isPrincipalType(type)) return undefined
  if (typeof project !== 'string' || !PROJECT_FORM.test(project)) return undefined
  const scopes = typeof scope === 'string' ? scope.split(' ').filter(Boolean).slice(0, MAX_SCOPES) : []
  const credential = `jwt_${createHash('sha256').update(token).digest('base64url')}`
  return {
    credential,
    principal: { id: sub, type, project, owner: sub, scopes: new Set(scopes), narrowed: true, credential },
    expiresAt: (exp + TOLERANCE_S) * 1000
  }
}

const isPrincipalType = (type: unknown): type is Principal['type'] =>
  type === 'user' || type === 'agent' || type === 'service'
