import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  checkAgentAccess,
  checkPermission,
  grantPermission,
  grantPermissions,
  listAccessible,
  listOfSubject,
  listOfTool,
  revokePermission,
  transferOwnership
} from '../schemas/permissions.ts'
import type { PermissionQueries } from '../services/permission-queries.ts'
import type { PermissionService } from '../services/permissions.ts'
import type { TransferService } from '../services/transfers.ts'

interface Deps {
  permissionService: PermissionService
  permissionQueries: PermissionQueries
  transferService: TransferService
}

export function permissionRoutes(app: App, { permissionService, permissionQueries, transferService }: Deps) {
  app.post('/tool-permissions/grant', { schema: grantPermission }, async ({ principal, body }, reply) => {
    const { permission, isNew } = await permissionService.grant(principal, body)
    return reply.code(isNew ? 201 : 200).send({ data: permission })
  })

  app.post(
    '/tool-permissions/batch-grant',
    { schema: grantPermissions },
    async ({ principal, body }, reply) => {
      const { data, isNew } = await permissionService.grantMany(principal, body.grants)
      return reply.code(isNew ? 201 : 200).send({ data, nextCursor: null })
    }
  )

  app.delete('/tool-permissions/:permissionId', { schema: revokePermission }, async (request) => {
    const { principal, params } = request
    await permissionService.revoke(principal, params.permissionId, ifMatch(request))
    return { data: { id: params.permissionId, deleted: true as const } }
  })

  app.get('/tool-permissions/tool/:toolId', { schema: listOfTool }, ({ principal, params, query }) =>
    permissionService.listOfTool(principal, params.toolId, query)
  )

  app.get('/tool-permissions/subject', { schema: listOfSubject }, ({ principal, query }) =>
    permissionService.listOfSubject(principal, query, query)
  )

  app.get('/tool-permissions/accessible-tools', { schema: listAccessible }, ({ principal, query }) =>
    permissionQueries.accessible(principal, query)
  )

  app.get('/tool-permissions/check', { schema: checkPermission }, async ({ principal, query }) => {
    return { data: await permissionQueries.check(principal, query) }
  })

  app.get(
    '/tool-permissions/check-agent-access',
    { schema: checkAgentAccess },
    async ({ principal, query }) => {
      return { data: await permissionQueries.checkAgent(principal, query.agentId, query.toolId) }
    }
  )

  app.post(
    '/tool-permissions/transfer-ownership',
    { schema: transferOwnership, config: { limit: 'sensitive' } },
    async ({ principal, body }) => ({ data: await transferService.transfer(principal, body) })
  )
}
