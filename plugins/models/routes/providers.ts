import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { listProviders, readProvider, resetProvider, updateProvider } from '../schemas.ts'
import type { ProviderService } from '../services/providers.ts'

const config = { limit: 'sensitive' } as const

export function providerRoutes(app: App, { providerService }: { providerService: ProviderService }) {
  app.get('/models/providers', { schema: listProviders }, ({ principal, query }) =>
    providerService.list(principal, query)
  )

  app.get('/models/providers/:provider', { schema: readProvider }, async ({ principal, params }) => {
    return { data: await providerService.read(principal, params.provider) }
  })

  app.put('/models/providers/:provider', { schema: updateProvider, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await providerService.update(principal, params.provider, body, ifMatch(request)) }
  })

  app.delete('/models/providers/:provider', { schema: resetProvider, config }, async (request) => {
    const { principal, params } = request
    await providerService.reset(principal, params.provider, ifMatch(request))
    return { data: { id: params.provider, deleted: true as const } }
  })
}
