import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { readIcon, setAppearance } from '../schemas/appearance.ts'
import type { Appearance } from '../services/appearance.ts'

export function appearanceRoutes(app: App, { appearance }: { appearance: Appearance }) {
  const config = { bodyLimit: 2_097_152 }
  app.put('/ui-plugins/:pluginId/appearance', { schema: setAppearance, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await appearance.set(principal, params.pluginId, body, ifMatch(request)) }
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/ui-plugins/:pluginId/icon',
    schema: readIcon,
    async handler({ principal, params, headers, method }, reply) {
      const icon = await appearance.findIcon(principal, (params as { pluginId: string }).pluginId)
      const etag = `"${icon.sha256}"`
      reply.headers({ etag, 'cache-control': 'private, no-cache' })
      if (headers['if-none-match'] === etag) return reply.code(304).send(null)
      reply.headers({
        'content-type': 'image/webp',
        'content-length': icon.size,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin'
      })
      return reply.send(method === 'HEAD' ? null : await appearance.read(icon))
    }
  })
}
