import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { grantAccess, listGrants, revokeAccess } from '../schemas/grants.ts'
import { createSpace, deleteSpace, listSpaces, readSpace, updateSpace } from '../schemas/spaces.ts'
import type { GrantService } from '../services/grants.ts'
import type { SpaceService } from '../services/spaces.ts'

interface Deps {
  spaceService: SpaceService
  grantService: GrantService
}

export function spaceRoutes(app: App, { spaceService, grantService }: Deps) {
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

  app.get('/knowledge/:spaceId/grants', { schema: listGrants }, ({ principal, params, query }) =>
    grantService.list(principal, params.spaceId, query)
  )

  app.post(
    '/knowledge/:spaceId/grants',
    { schema: grantAccess },
    async ({ principal, params, body }, reply) => {
      const { grant, isNew } = await grantService.grant(principal, params.spaceId, body)
      return reply.code(isNew ? 201 : 200).send({ data: grant })
    }
  )

  app.delete('/knowledge/:spaceId/grants/:grantId', { schema: revokeAccess }, async (request) => {
    const { spaceId, grantId } = request.params
    await grantService.revoke(request.principal, spaceId, grantId, ifMatch(request))
    return { data: { id: grantId, deleted: true as const } }
  })
}
