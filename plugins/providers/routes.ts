import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { chooseProvider, listProviders, resetProvider } from './schemas.ts'
import type { ProviderService } from './service.ts'

export function providerRoutes(app: App, { providerService }: { providerService: ProviderService }) {
  app.get('/providers', { schema: listProviders }, ({ principal, query }) =>
    providerService.list(principal, query)
  )

  app.put(
    '/providers/:capability',
    { schema: chooseProvider, config: { limit: 'sensitive', failures: ['upstream'] } },
    async (request) => {
      const { principal, params, body } = request
      return { data: await providerService.choose(principal, params.capability, body, ifMatch(request)) }
    }
  )

  app.delete(
    '/providers/:capability',
    { schema: resetProvider, config: { limit: 'sensitive' } },
    async (request) => {
      const { principal, params } = request
      return { data: await providerService.reset(principal, params.capability, ifMatch(request)) }
    }
  )
}
