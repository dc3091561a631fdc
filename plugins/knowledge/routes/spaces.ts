import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { createSpace, deleteSpace, listSpaces, readSpace, updateSpace } from '../schemas/spaces.ts'
import type { SpaceService } from '../services/spaces.ts'

export function spaceRoutes(app: App, { spaceService }: { spaceService: SpaceService }) {
  app.get('/knowledge', { schema: listSpaces }, ({ principal, query }) => spaceService.list(principal, query))

  app.post('/knowledge', { schema: createSpace }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await spaceService.create(principal, body) })
  })

  app.get('/knowledge/:spaceId', { schema: readSpace }, async ({ principal, params }) => {
    return { data: await spaceService.read(principal, params.spaceId) }
  })

  app.patch('/knowledge/:spaceId', { schema: updateSpace }, async (request) => {
    const { principal, params, body } = request
    return { data: await spaceService.update(principal, params.spaceId, body, ifMatch(request)) }
  })

  app.delete('/knowledge/:spaceId', { schema: deleteSpace }, async (request) => {
    return { data: await spaceService.remove(request.principal, request.params.spaceId, ifMatch(request)) }
  })
}
