import type { App } from 'agent-platform'
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
import type { CheckService } from '../services/checks.ts'
import type { PermissionService } from '../services/permissions.ts'
import type { TransferService } from '../services/transfers.ts'

interface Deps {
  permissionService: PermissionService
  checkService: CheckService
  transferService: TransferService
}

export function permissionRoutes(app: App, { permissionService, checkService, transferService }: Deps) {
  app.post('/tool-permissions/grant', { schema: grantPermission }, async ({ principal, body }, reply) => {
    const { permission, isNew } = await permissionService.grant(principal, body)
    return reply.code(isNew ? 201 : 200).send({ data: permission })
  })

  app.post(
    '/tool-permissions/batch-grant',
    { schema: grantPermissions },
    async ({ principal, body }, reply) => {
      const permissions = await permissionService.grantMany(principal, body.grants)
      return reply.code(201).send({ data: { permissions } })
    }
  )

  app.delete(
    '/tool-permissions/:permissionId',
    { schema: revokePermission },
    async ({ principal, params }) => {
      await permissionService.revoke(principal, params.permissionId)
      return { data: { id: params.permissionId, deleted: true as const } }
    }
  )

  app.get('/tool-permissions/tool/:toolId', { schema: listOfTool }, ({ principal, params, query }) =>
    permissionService.listOfTool(principal, params.toolId, query)
  )

  app.get('/tool-permissions/subject', { schema: listOfSubject }, ({ principal, query }) =>
    permissionService.listOfSubject(principal, query, query)
  )

  app.get('/tool-permissions/accessible-tools', { schema: listAccessible }, ({ principal, query }) =>
    checkService.accessible(principal, query)
  )

  app.get('/tool-permissions/check', { schema: checkPermission }, async ({ principal, query }) => {
    return { data: await checkService.check(principal, query) }
  })

  app.get(
    '/tool-permissions/check-agent-access',
    { schema: checkAgentAccess },
    async ({ principal, query }) => {
      return { data: await checkService.checkAgent(principal, query.agentId, query.toolId) }
    }
  )

  app.post(
    '/tool-permissions/transfer-ownership',
    { schema: transferOwnership, config: { limit: 'sensitive' } },
    async ({ principal, body }) => ({ data: await transferService.transfer(principal, body) })
  )
}
