import type { App } from 'agent-platform'
import { readMetrics } from './schemas.ts'
import type { MetricsService } from './service.ts'

const config = { root: true, scope: ['platform:admin'] } as const

export function metricsRoutes(app: App, { metricsService }: { metricsService: MetricsService }) {
  app.get('/metrics', { schema: readMetrics, config }, async (_request, reply) => {
    const { text, contentType } = await metricsService.read()
    return reply.header('cache-control', 'no-store').type(contentType).send(text)
  })
}
