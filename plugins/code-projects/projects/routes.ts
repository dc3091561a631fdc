import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import type { FileService } from './files.ts'
import {
  createProject,
  deleteProject,
  listProjects,
  readProject,
  updateProject,
  writeFiles
} from './schemas.ts'
import type { ProjectService } from './service.ts'

export const read = { scope: ['agents:read'] }
export const write = { scope: ['agents:write'] }
/** Files of a project, in base64. */
const WRITE_BYTES = 94_371_840

interface Deps {
  projectService: ProjectService
  fileService: FileService
}

export function projectRoutes(app: App, { projectService, fileService }: Deps) {
  const path = '/agents/:agentId/projects'
  const large = { ...write, bodyLimit: WRITE_BYTES }

  app.get(path, { schema: listProjects, config: read }, async ({ principal, params, query }) =>
    projectService.list(principal, params.agentId, query)
  )

  app.post(path, { schema: createProject, config: large }, async ({ principal, params, body }, reply) => {
    return reply.code(201).send({ data: await projectService.create(principal, params.agentId, body) })
  })

  app.get(
    `${path}/:projectId`,
    { schema: readProject, config: read },
    async ({ principal, params, query }) => {
      return { data: await fileService.read(principal, params.agentId, params.projectId, query) }
    }
  )

  app.put(`${path}/:projectId`, { schema: updateProject, config: write }, async (request) => {
    const { principal, params, body } = request
    const { agentId, projectId } = params
    return { data: await projectService.update(principal, agentId, projectId, body, ifMatch(request)) }
  })

  app.delete(`${path}/:projectId`, { schema: deleteProject, config: write }, async (request) => {
    const { principal, params } = request
    return {
      data: await projectService.remove(principal, params.agentId, params.projectId, ifMatch(request))
    }
  })

  app.put(`${path}/:projectId/files`, { schema: writeFiles, config: large }, async (request) => {
    const { principal, params, body } = request
    const { agentId, projectId } = params
    return { data: await fileService.write(principal, agentId, projectId, body, ifMatch(request)) }
  })
}
