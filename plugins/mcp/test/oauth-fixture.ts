import { createHash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Seen } from './tool-server-fixture.ts'
import { echo, httpServer, json, toolServer } from './tool-server-fixture.ts'

interface Options {
  /** What the authorization server says of itself, beside its addresses. */
  readonly metadata?: object
  /** Clients that it knows, with their secrets. */
  readonly clients?: Readonly<Record<string, string>>
  /** The tool server itself, once it was shown a token. */
  readonly serve?: (seen: Seen, reply: ServerResponse) => unknown
}

/** A tool server that is reached with a token, and the authorization server that gives it. */
export async function guarded(
  t: Parameters<typeof httpServer>[0],
  { metadata = {}, clients = {}, serve }: Options = {}
) {
  const valid = new Set<string>()
  const refreshable = new Set<string>()
  const codes = new Map<string, URLSearchParams>()
  const asked = { register: [] as Seen[], token: [] as Seen[] }
  const state = { wants: 'tools', refuses: undefined as string | undefined, slow: 0 }

  const give = () => {
    const [token, refresh] = [`at-${randomUUID()}`, `rt-${randomUUID()}`]
    valid.add(token)
    refreshable.add(refresh)
    return { access_token: token, refresh_token: refresh, token_type: 'Bearer', expires_in: 3_600 }
  }

  const authorizer = await httpServer(t, async (seen, reply) => {
    const url = new URL(seen.path, authorizer.url)
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return json(reply, 200, {
          issuer: authorizer.url,
          authorization_endpoint: `${authorizer.url}/authorize`,
          token_endpoint: `${authorizer.url}/token`,
          registration_endpoint: `${authorizer.url}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          ...metadata
        })
      case '/register':
        asked.register.push(seen)
        return json(reply, 201, { ...JSON.parse(seen.body), client_id: `client-${asked.register.length}` })
      case '/token':
        asked.token.push(seen)
        await new Promise((resolve) => setTimeout(resolve, state.slow))
        return state.refuses
          ? json(reply, 400, { error: state.refuses, error_description: `you sent ${seen.body}` })
          : exchange(new URLSearchParams(seen.body), seen) === undefined
            ? json(reply, 400, { error: 'invalid_grant' })
            : json(reply, 200, give())
      default:
        return reply.writeHead(404).end()
    }
  })

  function exchange(body: URLSearchParams, { headers }: Seen): true | undefined {
    if (body.get('grant_type') === 'refresh_token')
      return refreshable.delete(body.get('refresh_token') ?? '') || undefined
    const code = body.get('code') ?? ''
    const order = codes.get(code)
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const client = order?.get('client_id') ?? ''
    const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
    const isClient =
      clients[client] === undefined
        ? body.get('client_id') === client
        : Buffer.from(basic, 'base64').toString() === `${client}:${clients[client]}`
    const same = ['redirect_uri', 'resource'].every((it) => body.get(it) === order?.get(it))
    return (codes.delete(code) && isClient && same && challenge === order?.get('code_challenge')) || undefined
  }

  const server = await toolServer(t, 'legacy', echo, {
    admit(seen, reply) {
      const { path, headers } = seen
      if (path.startsWith('/.well-known/oauth-protected-resource')) {
        json(reply, 200, {
          resource: server.url,
          authorization_servers: [authorizer.url],
          scopes_supported: ['tools']
        })
        return false
      }
      if (valid.has((headers.authorization ?? '').replace(/^Bearer /, ''))) {
        serve?.(seen, reply)
        return !serve
      }
      json(reply, 401, {}, { 'www-authenticate': `Bearer scope="${state.wants}"` })
      return false
    }
  })
  return {
    ...server,
    authorizer,
    asked,
    state,
    /** What a browser brings back once its user agreed. */
    agree(authorizationUrl: string): { state: string; code: string; order: URLSearchParams } {
      const order = new URL(authorizationUrl).searchParams
      const code = `code-${randomUUID()}`
      codes.set(code, order)
      return { state: order.get('state') ?? '', code, order }
    },
    /** The tokens that were given. */
    given: () => [...valid, ...refreshable],
    /** No token counts any more. */
    expire: () => valid.clear(),
    isValid: (token: string) => valid.has(token)
  }
}
