import type { App } from 'agent-platform'
import { finishAuthorization, readClientMetadata } from '../schemas/oauth.ts'
import type { OAuthFlow } from '../services/oauth-flow.ts'

/** The state that comes back is the credential, and counts once. */
const config = { by: 'public' } as const

export function oauthRoutes(app: App, { oauthFlow }: { oauthFlow: OAuthFlow }) {
  app.get('/mcp/oauth/callback', { schema: finishAuthorization, config }, async ({ query }, reply) => {
    const { name, isConnected } = await oauthFlow.finish(query)
    const outcome = isConnected ? 'is connected' : 'was authorized, but cannot be reached now'
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
      })
      .send(
        `<!doctype html><title>Tool server</title><p>${escaped(name)} ${outcome}. You may close this page.</p>`
      )
  })

  app.get('/mcp/oauth/client.json', { schema: readClientMetadata, config }, () => oauthFlow.clientMetadata())
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`)
