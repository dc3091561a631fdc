import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { listPublications, publish, readPublication, unpublish } from '../schemas/publications.ts'
import type { PublicationService } from '../services/publications.ts'

/** What everyone may know of an agent is not for an agent to say. */
const config = { principals: ['user', 'service'] } as const

export function publicationRoutes(
  app: App,
  { publicationService }: { publicationService: PublicationService }
) {
  app.get('/a2a/publications', { schema: listPublications }, ({ principal, query }) =>
    publicationService.list(principal, query)
  )

  app.get('/a2a/:agentId/publication', { schema: readPublication }, async ({ principal, params }) => {
    return { data: await publicationService.read(principal, params.agentId) }
  })

  app.put('/a2a/:agentId/publication', { schema: publish, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await publicationService.publish(principal, params.agentId, body, ifMatch(request)) }
  })

  app.delete('/a2a/:agentId/publication', { schema: unpublish, config }, async (request) => {
    const { principal, params } = request
    return { data: await publicationService.unpublish(principal, params.agentId, ifMatch(request)) }
  })
}
