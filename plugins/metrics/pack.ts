import { definePack } from 'agent-platform'
import { metricsRoutes } from './routes.ts'
import { createMetricsService } from './service.ts'

/** What an operator watches, for Prometheus: requests, packs, database, facts, the process. */
export default definePack({
  name: 'metrics',
  area: 'Observability',
  summary: 'Prometheus metrics for operators',
  services: { metricsService: createMetricsService },
  routes: metricsRoutes,
  start: ({ metricsService }) => metricsService.start()
})
