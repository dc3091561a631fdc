import type { App } from 'agent-platform'
import { PAGE_POLICY, withPolicy } from '../page-policy.ts'
import { readPage } from '../schemas/pages.ts'
import type { Pages } from '../services/pages.ts'

export function pageRoutes(app: App, { pages }: { pages: Pages }) {
  app.get('/ui-plugins/:pluginId/pages/:page', { schema: readPage }, async (request, reply) => {
    const { principal, params, query, headers } = request
    const file = await pages.find(principal, params.pluginId, params.page, query.version)
    const etag = `"${file.sha256}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache' })
    if (headers['if-none-match'] === etag) return reply.code(304).send(null)
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      // A policy of content says nothing of WebRTC in any browser. This list of addresses, an empty one, does in Chromium.
      'connection-allowlist': '()',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin'
    })
    return reply.send(withPolicy(await pages.read(file)))
  })
}
