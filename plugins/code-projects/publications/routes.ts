import type { App } from 'agent-platform'
import { read, write } from '../projects/routes.ts'
import { listPublications, restorePublication, unpublishProject } from './schemas.ts'
import type { PublicationService } from './service.ts'

export function publicationRoutes(
  app: App,
  { publicationService }: { publicationService: PublicationService }
) {
  const path = '/agents/:agentId/projects/:projectId'

  app.get(
    `${path}/publications`,
    { schema: listPublications, config: read },
    async ({ principal, params: { agentId, projectId }, query }) =>
      publicationService.list(principal, agentId, projectId, query)
  )

  app.post(
    `${path}/publications/:publicationId/restore`,
    { schema: restorePublication, config: write },
    async ({ principal, params: { agentId, projectId, publicationId } }) => {
      return { data: await publicationService.restore(principal, agentId, projectId, publicationId) }
    }
  )

  app.post(
    `${path}/unpublish`,
    { schema: unpublishProject, config: write },
    async ({ principal, params: { agentId, projectId } }) => {
      return { data: await publicationService.unpublish(principal, agentId, projectId) }
    }
  )
}
