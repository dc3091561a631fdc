import { IncomingMessage } from 'node:http'
import type { App, Reply, Request } from 'agent-platform'
import * as schemas from '../schemas/pages.ts'
import type { IdentityProvider } from '../services/provider.ts'

interface Deps {
  identityProvider: IdentityProvider
}

/** No form and no token is longer. */
const bodyLimit = 65_536
const config = { root: true, by: 'public' } as const
/** Its body is read here, and so within the gateway's limits of size and time. */
const taken = { ...config, body: 'raw', bodyLimit } as const

/** Addresses of the protocol, which the provider serves itself. */
export function providerRoutes(app: App, { identityProvider }: Deps) {
  async function pass({ raw, id, body }: Request, reply: Reply, path = raw.url ?? '/', code?: string) {
    const provider = await identityProvider.current()
    const own = path.replace(/^\/identity/, '')
    reply.hijack()
    // What a page of this server answers with, unless it says otherwise.
    reply.raw.setHeader('x-request-id', id)
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    reply.raw.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    await provider.callback()(asked(raw, own, body, code), reply.raw)
  }

  /** The same request as the provider is to see it: of the platform's own address, whoever asks by whatever name. */
  function asked(
    raw: IncomingMessage,
    url: string,
    body: unknown,
    code: string | undefined
  ): IncomingMessage {
    const { protocol, host } = new URL(identityProvider.issuer)
    const { 'x-forwarded-host': _, ...given } = raw.headers
    const request = new IncomingMessage(raw.socket)
    const headers = { ...given, host, 'x-forwarded-proto': protocol.slice(0, -1) }
    const originalUrl = `${identityProvider.path}${url}`
    Object.assign(request, { method: raw.method, url, originalUrl, headers, code, complete: true })
    if (Buffer.isBuffer(body)) request.push(body)
    request.push(null)
    return request
  }

  /** An address with a code in it sends nothing by itself: it stands in the form, for a person to send. */
  const showDevice = (request: Request, reply: Reply) => {
    const { user_code: code } = request.query as { user_code?: unknown }
    const given = typeof code === 'string' && /^[A-Za-z-]{1,20}$/.test(code) ? code : undefined
    return pass(request, reply, '/identity/device', given)
  }
  const well = '/.well-known'

  app.get(`/identity${well}/openid-configuration`, { schema: schemas.discovery, config }, (request, reply) =>
    pass(request, reply)
  )
  app.get(
    `${well}/oauth-authorization-server/identity`,
    { schema: schemas.metadata, config },
    (request, reply) => pass(request, reply, `/identity${well}/oauth-authorization-server`)
  )
  app.get('/identity/jwks', { schema: schemas.keys, config }, (request, reply) => pass(request, reply))
  app.get('/identity/authorize', { schema: schemas.authorize, config }, (request, reply) =>
    pass(request, reply)
  )
  app.get('/identity/authorize/:uid', { schema: schemas.resumeAuthorize, config }, (request, reply) =>
    pass(request, reply)
  )
  app.post('/identity/token', { schema: schemas.token, config: taken }, (request, reply) =>
    pass(request, reply)
  )
  app.post('/identity/revoke', { schema: schemas.revoke, config: taken }, (request, reply) =>
    pass(request, reply)
  )
  app.post(
    '/identity/device-authorization',
    { schema: schemas.deviceAuthorization, config: taken },
    (request, reply) => pass(request, reply)
  )
  app.get('/identity/device', { schema: schemas.device, config }, showDevice)
  app.post('/identity/device', { schema: schemas.enterDevice, config: taken }, (request, reply) =>
    pass(request, reply)
  )
  app.get('/identity/device/:uid', { schema: schemas.resumeDevice, config }, (request, reply) =>
    pass(request, reply)
  )
}
