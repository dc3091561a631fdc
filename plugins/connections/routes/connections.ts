import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  deleteConnection,
  listConnections,
  readConnection,
  refreshConnection,
  testConnection,
  updateConnection
} from '../schemas/connections.ts'
import type { ConnectionService } from '../services/connections.ts'
import type { Removal } from '../services/removal.ts'

interface Deps {
  connectionService: ConnectionService
  removal: Removal
}

/** Each of these asks the provider. */
const config = { limit: 'sensitive', failures: ['upstream', 'upstreamTimeout'] } as const

export function connectionRoutes(app: App, { connectionService, removal }: Deps) {
  app.get('/oauth/connections', { schema: listConnections }, ({ principal, query }) =>
    connectionService.list(principal, query)
  )

  app.get('/oauth/connections/:connectionId', { schema: readConnection }, async ({ principal, params }) => {
    return { data: await connectionService.read(principal, params.connectionId) }
  })

  app.put('/oauth/connections/:connectionId', { schema: updateConnection }, async (request) => {
    const { principal, params, body } = request
    return { data: await connectionService.rename(principal, params.connectionId, body, ifMatch(request)) }
  })

  app.post(
    '/oauth/connections/:connectionId/refresh',
    { schema: refreshConnection, config },
    async ({ principal, params }) => {
      return { data: await connectionService.refresh(principal, params.connectionId) }
    }
  )

  app.get(
    '/oauth/connections/:connectionId/test',
    { schema: testConnection, config },
    async ({ principal, params }) => {
      return { data: await connectionService.test(principal, params.connectionId) }
    }
  )

  app.delete('/oauth/connections/:connectionId', { schema: deleteConnection, config }, async (request) => {
    const { principal, params, query } = request
    const { connectionId: id } = params
    await removal.remove(principal, id, query.force === true, ifMatch(request))
    return { data: { id, deleted: true as const } }
  })
}
