import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { listCapabilities } from '../schemas/capabilities.ts'
import { setGrants, setStatus } from '../schemas/permissions.ts'
import type { Catalogue } from '../services/catalogue.ts'
import type { Permissions } from '../services/permissions.ts'

interface Deps {
  catalogue: Catalogue
  permissions: Permissions
}

export function permissionRoutes(app: App, { catalogue, permissions }: Deps) {
  app.get('/ui-plugins/capabilities', { schema: listCapabilities }, async ({ query }) =>
    catalogue.list(query)
  )

  app.put('/ui-plugins/:pluginId/status', { schema: setStatus }, async (request) => {
    const { principal, params, body } = request
    return { data: await permissions.setStatus(principal, params.pluginId, body, ifMatch(request)) }
  })

  app.put('/ui-plugins/:pluginId/grants', { schema: setGrants }, async (request) => {
    const { principal, params, body } = request
    return { data: await permissions.setGrants(principal, params.pluginId, body, ifMatch(request)) }
  })
}
