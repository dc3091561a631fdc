import { definePack } from 'agent-platform'
import { providerRoutes } from './routes.ts'
import { createProviderService } from './service.ts'

/** Providers: what serves each capability in a project. */
export default definePack({
  name: 'providers',
  area: 'Platform',
  summary: 'what serves each capability in a project: models, vectors, speech, images, storage …',
  services: { providerService: createProviderService },
  routes: providerRoutes
})
