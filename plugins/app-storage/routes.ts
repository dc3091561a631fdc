import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { readStorage, updateStorage } from './schemas.ts'
import type { StorageProviders } from './services/providers.ts'

const config = { limit: 'sensitive' } as const

export function storageRoutes(app: App, { storageProviders }: { storageProviders: StorageProviders }) {
  app.get('/ui-plugins/:pluginId/storage', { schema: readStorage }, async ({ principal, params }) => {
    return { data: await storageProviders.read(principal, params.pluginId) }
  })

  app.put('/ui-plugins/:pluginId/storage', { schema: updateStorage, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await storageProviders.update(principal, params.pluginId, body, ifMatch(request)) }
  })
}
