import type { App } from 'agent-platform'
import { listTraces } from '../schemas/traces.ts'
import type { TraceService } from '../traces/service.ts'

export function traceRoutes(app: App, { traceService }: { traceService: TraceService }) {
  app.get('/logs/agents/:agentId/observability', { schema: listTraces }, ({ principal, params, query }) =>
    traceService.list(principal, params.agentId, query)
  )
}
