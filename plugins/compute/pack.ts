import { definePack } from 'agent-platform'
import { createComputeConnections } from './connections.ts'
import { computeRoutes } from './routes.ts'
import { createComputeService } from './service.ts'
import { ComputeSettings } from './settings.ts'

/** The compute service, reached through the gateway. */
export default definePack({
  name: 'compute',
  area: 'Compute',
  summary: 'proxy to an external compute service, with signed caller identity',
  settings: ComputeSettings,
  services: { computeConnections: createComputeConnections, computeService: createComputeService },
  routes: computeRoutes
})
