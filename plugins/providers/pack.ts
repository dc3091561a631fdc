import { definePack } from 'agent-platform'
import { providerRoutes } from './routes.ts'
import { createProviderService } from './service.ts'

/** Providers: what serves each capability in a project. */
export default definePack({
  name: 'providers',
  area: 'Platform',
  summary: 'the provider of each capability in a project: models, embeddings, speech, images, storage …',
  services: { providerService: createProviderService },
  routes: providerRoutes
})
