import type { App, Reply } from 'agent-platform'
import { authorizationCookie, noticeHeaders, noticeOfFailure } from 'agent-platform'
import { pageOf } from '../page.ts'
import { callback, connect } from '../schemas/connections.ts'
import type { Flow } from '../services/flow.ts'
import type { GrantService, Returned } from '../services/granting.ts'

interface Deps {
  flow: Flow
  grantService: GrantService
  platform: { readonly baseUrl: string }
}

export function flowRoutes(app: App, { flow, grantService, platform }: Deps) {
  const cookie = authorizationCookie(platform.baseUrl)

  app.post(
    '/oauth/connect',
    {
      schema: connect,
      config: { principals: ['user', 'service'], secret: 'authorizationUrl', limit: 'sensitive' }
    },
    async (request, reply) => {
      const { browser, ...asked } = await flow.ask(request.principal, request.body, cookie.isBrowser(request))
      cookie.set(reply, browser)
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
        returned = await grantService.finish(request.params.providerKey, brought, cookie.of(request))
      } catch (error) {
        const page = noticeOfFailure(request, reply as unknown as Reply, error)
        if (!page) throw error
        return page as never
      }
      const { returnUrl, connection, isBound } = returned
      const location = returnUrl === null ? undefined : locationOf(returned, returnUrl)
      // Who was sent the address by a program first reads for whom that was: where it leads on to may say nothing of it.
      const isHidden = connection !== undefined && !isBound
      if (location === undefined || isHidden)
        return reply.headers(noticeHeaders).send(pageOf(returned, location))
      return reply
        .code(303)
        .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .send(null)
    }
  )
}

/** The address was allowed when it was named: nothing of what came back is in it but how it went. */
function locationOf({ connectionId, connection, error }: Returned, returnUrl: string): string {
  // Of a path only that is sent: the browser knows at which address it came back.
  const url = new URL(returnUrl, 'http://platform.invalid')
  url.searchParams.set('connectionId', connectionId)
  url.searchParams.set('status', connection ? 'active' : 'failed')
  if (error) url.searchParams.set('error', error.code)
  return returnUrl.startsWith('/') ? `${url.pathname}${url.search}` : url.href
}
