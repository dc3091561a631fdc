import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CryptoKey, JWK } from 'jose'
import { exportJWK, generateKeyPair } from 'jose'
import type { Test } from 'tap'

/** A key of a provider, and how it is published. */
export interface Signer {
  readonly alg: string
  readonly kid: string | undefined
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

export async function signer(alg: string, kid: string | undefined = `kid-${alg}`): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } }
}

/** An identity provider: discovery and a key set over HTTP, which count what is asked of them. */
export async function provider(t: Test, keys: JWK[], { oauth = false } = {}) {
  const state = { keys, up: true, issuer: undefined as string | undefined, asked: 0 }
  const server = createServer((request, response) => {
    const documents: Record<string, () => unknown> = {
      [oauth ? '/.well-known/oauth-authorization-server' : '/.well-known/openid-configuration']: () => ({
        issuer: state.issuer ?? issuer,
        jwks_uri: `${issuer}/keys`
      }),
      '/keys': () => {
        state.asked++
        return { keys: state.keys }
      }
    }
    const document = documents[request.url ?? '']
    if (!state.up) response.writeHead(503).end()
    else if (!document) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections())
  t.teardown(close)
  return { issuer, state, close }
}
