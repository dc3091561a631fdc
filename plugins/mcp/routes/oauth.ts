import type { App, Kernel, Reply } from 'agent-platform'
import { authorizationCookie, noticeHeaders, noticeOfFailure, noticePage } from 'agent-platform'
import { finishAuthorization, readClientMetadata } from '../schemas/oauth.ts'
import type { OAuthFlow } from '../services/oauth-flow.ts'
import type { ServerRow } from '../stores/servers.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  oauthFlow: OAuthFlow
}
/** The single-use state that comes back is the credential. */
const config = { by: 'public' } as const

export function oauthRoutes(app: App, { platform, oauthFlow }: Deps) {
  const cookie = authorizationCookie(platform.baseUrl)

  app.get('/mcp/oauth/callback', { schema: finishAuthorization, config }, async (request, reply) => {
    try {
      const { server, isConnected } = await oauthFlow.finish(request.query, cookie.of(request))
      return reply.headers(noticeHeaders).send(pageOf(server, isConnected))
    } catch (error) {
      const page = noticeOfFailure(request, reply as unknown as Reply, error)
      if (!page) throw error
      return page as never
    }
  })

  app.get('/mcp/oauth/client.json', { schema: readClientMetadata, config }, () => oauthFlow.clientMetadata())
}

/** Names whose agents get access: a person who was sent here by another must notice. */
function pageOf({ name, owner, url }: ServerRow, isConnected: boolean): string {
  const host = URL.parse(url ?? '')?.host ?? name
  return noticePage(
    isConnected ? `${name} is connected` : `${name} is authorized, but cannot be reached now`,
    [
      `The agents of ${owner} can now use ${host} with your account there, within what you allowed.`,
      `If you are not ${owner}, another person asked you for this: revoke the access in the settings of your account at ${host}.`,
      'You may close this page.'
    ]
  )
}
