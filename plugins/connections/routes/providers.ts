import type { App } from 'agent-platform'
import { listProviders, readProvider } from '../schemas/providers.ts'
import type { ProviderService } from '../services/providers.ts'

const config = { by: 'public' } as const

export function providerRoutes(app: App, { providerService }: { providerService: ProviderService }) {
  app.get('/oauth/providers', { schema: listProviders, config }, ({ query }) => providerService.list(query))

  app.get('/oauth/providers/:providerKey', { schema: readProvider, config }, ({ params }) => {
    return { data: providerService.read(params.providerKey) }
  })
}
