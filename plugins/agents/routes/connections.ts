import type { App } from 'agent-platform'
import { listConnections, pinConnection, unpinConnection } from '../schemas.ts'
import type { ConnectionService } from '../services/connections.ts'

export function connectionRoutes(app: App, { connectionService }: { connectionService: ConnectionService }) {
  app.get(
    '/agents/:agentId/preferred-connections',
    { schema: listConnections, config: { scope: ['agents:read'] } },
    ({ principal, params, query }) => connectionService.list(principal, params.agentId, query)
  )

  app.post(
    '/agents/:agentId/preferred-connections',
    { schema: pinConnection, config: { scope: ['agents:write'] } },
    async ({ principal, params, body }, reply) => {
      const connection = await connectionService.pin(principal, params.agentId, body)
      return reply.code(201).send({ data: connection })
    }
  )

  app.delete(
    '/agents/preferred-connections/:id',
    { schema: unpinConnection, config: { scope: ['agents:write'] } },
    async ({ principal, params }) => {
      await connectionService.unpin(principal, params.id)
      return { data: { id: params.id, deleted: true as const } }
    }
  )
}
