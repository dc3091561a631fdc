import type { App } from 'agent-platform'
import { readGraph } from '../schemas/graph.ts'
import { listProviders, search, searchSpace } from '../schemas/search.ts'
import type { GraphService } from '../services/graph.ts'
import type { Searches } from '../services/searches.ts'

interface Deps {
  graphService: GraphService
  searches: Searches
}

export function searchRoutes(app: App, { graphService, searches }: Deps) {
  const config = { failures: ['upstream', 'upstreamTimeout'] } as const

  app.get('/knowledge/providers', { schema: listProviders }, async ({ query }) =>
    searches.listProviders(query)
  )

  app.get('/knowledge/search', { schema: search, config }, ({ principal, query }) =>
    searches.search(principal, query)
  )

  app.get('/knowledge/:spaceId/search', { schema: searchSpace, config }, ({ principal, params, query }) =>
    searches.searchSpace(principal, params.spaceId, query)
  )

  app.get('/knowledge/:spaceId/graph', { schema: readGraph }, async ({ principal, params, query }) => {
    return { data: await graphService.read(principal, params.spaceId, query) }
  })
}
