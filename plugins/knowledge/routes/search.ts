import type { App } from 'agent-platform'
import { readGraph } from '../schemas/graph.ts'
import type { GraphService } from '../services/graph.ts'

interface Deps {
  graphService: GraphService
}

export function searchRoutes(app: App, { graphService }: Deps) {
  app.get('/knowledge/:spaceId/graph', { schema: readGraph }, async ({ principal, params, query }) => {
    return { data: await graphService.read(principal, params.spaceId, query) }
  })
}
