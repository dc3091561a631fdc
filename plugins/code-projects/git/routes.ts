import type { App } from 'agent-platform'
import { write } from '../projects/routes.ts'
import { pushProject } from './schemas.ts'
import type { PushService } from './service.ts'

export function pushRoutes(app: App, { pushService }: { pushService: PushService }) {
  const config = { ...write, failures: ['upstream', 'upstreamTimeout'] } as const
  app.post(
    '/agents/:agentId/projects/:projectId/github',
    { schema: pushProject, config },
    async ({ principal, params, body }) => {
      return { data: await pushService.push(principal, params.agentId, params.projectId, body) }
    }
  )
}
