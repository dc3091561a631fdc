import type { App } from 'agent-platform'
import type { Connections } from '../connections/connections.ts'
import { listConnections, setConnection } from '../schemas/connections.ts'

export function connectionRoutes(app: App, { connections }: { connections: Connections }) {
  app.get('/ui-plugins/:pluginId/connections', { schema: listConnections }, ({ principal, params, query }) =>
    connections.list(principal, params.pluginId, query)
  )

  const config = { limit: 'sensitive', principals: ['user', 'service'] } as const
  app.put('/ui-plugins/:pluginId/connections/:key', { schema: setConnection, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await connections.set(principal, params.pluginId, params.key, body) }
  })
}
