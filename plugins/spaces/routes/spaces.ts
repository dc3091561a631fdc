import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createSpace,
  deleteSpace,
  listPublicSpaces,
  listSpaces,
  readFullSpace,
  readSpace,
  updateSpace
} from '../schemas/spaces.ts'
import type { SpaceService } from '../services/spaces.ts'

/** Who is in a space, and what it is, is not for tokens to change: agents in it act for those who brought them. */
const config = { tokens: 'whole' } as const

export function spaceRoutes(app: App, { spaceService }: { spaceService: SpaceService }) {
  app.get('/spaces', { schema: listSpaces, config }, ({ principal, query }) =>
    spaceService.list(principal, query)
  )

  app.get('/spaces/public', { schema: listPublicSpaces, config }, ({ principal, query }) =>
    spaceService.listPublic(principal, query)
  )

  app.post('/spaces', { schema: createSpace }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await spaceService.create(principal, body) })
  })

  app.get('/spaces/:spaceId', { schema: readSpace, config }, async ({ principal, params }) => {
    return { data: await spaceService.read(principal, params.spaceId) }
  })

  app.get('/spaces/:spaceId/full', { schema: readFullSpace, config }, async ({ principal, params }) => {
    return { data: await spaceService.readFull(principal, params.spaceId) }
  })

  app.put('/spaces/:spaceId', { schema: updateSpace }, async (request) => {
    const { principal, params, body } = request
    return { data: await spaceService.update(principal, params.spaceId, body, ifMatch(request)) }
  })

  app.delete('/spaces/:spaceId', { schema: deleteSpace }, async (request) => {
    return { data: await spaceService.remove(request.principal, request.params.spaceId, ifMatch(request)) }
  })
}
