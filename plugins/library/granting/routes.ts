import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { grantAccess, listGrants, revokeAccess } from './schemas.ts'
import type { Granting } from './service.ts'

export function grantRoutes(app: App, { granting }: { granting: Granting }) {
  app.get('/library/:itemId/grants', { schema: listGrants }, ({ principal, params, query }) =>
    granting.list(principal, params.itemId, query)
  )

  app.post('/library/:itemId/grants', { schema: grantAccess }, async ({ principal, params, body }, reply) => {
    const { grant, isNew } = await granting.grant(principal, params.itemId, body)
    return reply.code(isNew ? 201 : 200).send({ data: grant })
  })

  app.delete('/library/:itemId/grants/:grantId', { schema: revokeAccess }, async (request) => {
    const { itemId, grantId } = request.params
    await granting.revoke(request.principal, itemId, grantId, ifMatch(request))
    return { data: { id: grantId, deleted: true as const } }
  })
}
