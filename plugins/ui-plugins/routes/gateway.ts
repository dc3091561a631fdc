import type { App } from 'agent-platform'
import { closed } from 'agent-platform'
import type { Gateway } from '../gateway/gateway.ts'
import { askGateway } from '../schemas/gateway.ts'

export function gatewayRoutes(app: App, { gateway }: { gateway: Gateway }) {
  const config = { failures: ['upstream', 'upstreamTimeout'] } as const
  app.post('/ui-plugins/:pluginId/gateway', { schema: askGateway, config }, async (request, reply) => {
    const { principal: by, params, body } = request
    const locale = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}/.exec(
      request.headers['accept-language'] ?? ''
    )?.[0]
    const asking = { by, pluginId: params.pluginId, signal: closed(reply), depth: 0, locale }
    return { data: await gateway.ask(asking, body.method, body.params) }
  })
}
