import { definePack } from 'agent-platform'
import { metricsRoutes } from './routes.ts'
import { createMetricsService } from './service.ts'
import { createFactStore } from './store.ts'

/** What an operator watches, for Prometheus: requests, packs, database, facts, the process. */
export default definePack({
  name: 'metrics',
  area: 'Observability',
  services: { factStore: createFactStore, metricsService: createMetricsService },
  routes: metricsRoutes,
  start: ({ metricsService }) => metricsService.start()
})
