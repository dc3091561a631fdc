import type { JSONWebKeySet, JWK } from 'jose'

const TIME_LIMIT_MS = 5_000
const SIZE_LIMIT = 256 * 1024
const MAX_KEYS = 64

/**
 * The key set of an issuer: by OpenID Connect discovery, else by OAuth 2.0 authorization server metadata.
 * Takes five seconds at most. Throws an error that says what was wrong with the provider.
 */
export async function discover(issuer: string): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const metadata = await metadataOf(issuer, signal)
  if (metadata.issuer !== issuer) throw new Error('Its discovery document is of another issuer')
  const { keys } = await readJson(keysAddress(issuer, metadata.jwks_uri), signal)
  if (!Array.isArray(keys)) throw new Error('Its key set is none')
  return { keys: keys.slice(0, MAX_KEYS).flatMap(publicOf) }
}

async function metadataOf(issuer: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  try {
    return await readJson(new URL(`${origin}${path}/.well-known/openid-configuration`), signal)
  } catch (error) {
    if (signal.aborted) throw error
    return await readJson(new URL(`${origin}/.well-known/oauth-authorization-server${path}`), signal)
  }
}

/** Keys over plain HTTP are believed only where the issuer itself is reached so. */
function keysAddress(issuer: string, address: unknown): URL {
  if (typeof address !== 'string' || !URL.canParse(address)) throw new Error('It names no key set')
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== new URL(issuer).protocol)
    throw new Error('Its key set is not behind HTTPS')
  return url
}

async function readJson(url: URL, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`It answered ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > SIZE_LIMIT) throw new Error('Its answer is too large')
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString())
  if (typeof value !== 'object' || value === null) throw new Error('Its answer is no object')
  return value as Record<string, unknown>
}

/** Public members of signing keys alone; anything else in a key set is left out. */
function publicOf(key: unknown): JWK[] {
  const { kty, crv, x, y, n, e, kid, alg, use, key_ops } = (key ?? {}) as JWK
  if (kty !== 'EC' && kty !== 'OKP' && kty !== 'RSA') return []
  return [JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid, alg, use, key_ops }))]
}
