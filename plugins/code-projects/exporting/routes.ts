import type { App } from 'agent-platform'
import { write } from '../projects/routes.ts'
import { exportProject } from './schemas.ts'
import type { ExportService } from './service.ts'

export function exportRoutes(app: App, { exportService }: { exportService: ExportService }) {
  app.post(
    '/agents/:agentId/projects/:projectId/export',
    { schema: exportProject, config: write },
    async ({ principal, params, body }) => {
      return { data: await exportService.write(principal, params.agentId, params.projectId, body ?? {}) }
    }
  )
}
