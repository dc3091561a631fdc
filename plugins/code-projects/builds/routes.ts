import type { App } from 'agent-platform'
import { closed } from 'agent-platform'
import { read, write } from '../projects/routes.ts'
import { cancelBuild, listBuilds, publishProject, readBuild, verifyProject } from './schemas.ts'
import type { BuildService } from './service.ts'

export function buildRoutes(app: App, { buildService }: { buildService: BuildService }) {
  const path = '/agents/:agentId/projects/:projectId'

  app.post(`${path}/publish`, { schema: publishProject, config: write }, async (request, reply) => {
    const { principal, params, body } = request
    const waiting = { wait: body?.wait, signal: closed(reply as never) }
    return { data: await buildService.publish(principal, params.agentId, params.projectId, waiting) }
  })

  app.post(`${path}/verify`, { schema: verifyProject, config: write }, async (request, reply) => {
    const { principal, params, body } = request
    const waiting = { wait: body?.wait, signal: closed(reply as never) }
    return { data: await buildService.verify(principal, params.agentId, params.projectId, waiting) }
  })

  app.get(`${path}/builds`, { schema: listBuilds, config: read }, async ({ principal, params, query }) =>
    buildService.list(principal, params.agentId, params.projectId, query)
  )

  app.get(`${path}/builds/:buildId`, { schema: readBuild, config: read }, async ({ principal, params }) => {
    const { agentId, projectId, buildId } = params
    return { data: await buildService.read(principal, agentId, projectId, buildId) }
  })

  app.post(`${path}/builds/:buildId/cancel`, { schema: cancelBuild, config: write }, async (request) => {
    const { agentId, projectId, buildId } = request.params
    return { data: await buildService.cancel(request.principal, agentId, projectId, buildId) }
  })
}
