import type { App, Reply, Request } from 'agent-platform'
import { faultPage, pageHeaders, pageOf } from '../page.ts'
import { callback, connect } from '../schemas/connections.ts'
import type { Flow } from '../services/flow.ts'
import type { GrantService, Returned } from '../services/granting.ts'

interface Deps {
  flow: Flow
  grantService: GrantService
  platform: { readonly baseUrl: string }
}

/** The cookie that binds a request to the browser that made it: sent along when the provider sends people back. */
const cookieName = (id: string, isSecure: boolean) => `${isSecure ? '__Host-' : ''}oauth-${id}`
const SECONDS = 600

export function flowRoutes(app: App, { flow, grantService, platform }: Deps) {
  const isSecure = platform.baseUrl.startsWith('https:')

  app.post(
    '/oauth/connect',
    {
      schema: connect,
      config: { principals: ['user', 'service'], secret: 'authorizationUrl', limit: 'sensitive' }
    },
    async ({ principal, body, headers }, reply) => {
      // A session of a browser stands for a credential that the request has not.
      const isBrowser = headers.authorization === undefined && headers.cookie !== undefined
      const { browserSecret, ...asked } = await flow.ask(principal, body, isBrowser)
      if (browserSecret !== undefined) {
        const [, id = ''] = /[?&]state=([a-z0-9_]+)\./.exec(asked.authorizationUrl) ?? []
        const attributes = `Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
        reply.header('set-cookie', `${cookieName(id, isSecure)}=${browserSecret}; ${attributes}`)
      }
      return { data: asked }
    }
  )

  app.get(
    '/oauth/callback/:providerKey',
    { schema: callback, config: { by: 'public' } },
    async (request, reply) => {
      let returned: Returned
      try {
        const brought = new URL(request.raw.url ?? '', platform.baseUrl).searchParams
        returned = await grantService.finish(request.params.providerKey, brought, (id) =>
          cookieOf(request, cookieName(id, isSecure))
        )
      } catch (error) {
        const { kind, message } = Object(error) as { kind?: string; message: string }
        const isPerson = /text\/html/.test(request.headers.accept ?? '')
        if (!isPerson || kind !== 'invalid') throw error
        return explain(reply as unknown as Reply, message) as never
      }
      const { returnUrl, connection, isBound } = returned
      const location = returnUrl === null ? undefined : locationOf(returned, returnUrl)
      // Who was sent the address by a program first reads for whom that was: where it leads on to may say nothing of it.
      const isHidden = connection !== undefined && !isBound
      if (location === undefined || isHidden)
        return reply.headers(pageHeaders).send(pageOf(returned, location))
      return reply
        .code(303)
        .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .send(null)
    }
  )
}

/** A person reads pages, and not the envelope of programs. */
const explain = (reply: Reply, message: string): Reply =>
  reply
    .code(400)
    .headers(pageHeaders)
    .serializer((text: unknown) => String(text))
    .send(faultPage(message))

/** The address was allowed when it was named: nothing of what came back is in it but how it went. */
function locationOf({ connectionId, connection, error }: Returned, returnUrl: string): string {
  // Of a path only that is sent: the browser knows at which address it came back.
  const url = new URL(returnUrl, 'http://platform.invalid')
  url.searchParams.set('connectionId', connectionId)
  url.searchParams.set('status', connection ? 'active' : 'failed')
  if (error) url.searchParams.set('error', error.code)
  return returnUrl.startsWith('/') ? `${url.pathname}${url.search}` : url.href
}

function cookieOf({ headers }: Pick<Request, 'headers'>, name: string): string | undefined {
  const found = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at).trim() === name ? pair.slice(at + 1).trim() : []
  })
  return found.length === 1 ? found[0] : undefined
}
