import type { App } from 'agent-platform'
import { listAgentsOf, listIndex, listOfAgent, setAttachment } from '../schemas/requests.ts'
import type { AttachmentService } from '../services/attachments.ts'

export function attachmentRoutes(app: App, { attachmentService }: { attachmentService: AttachmentService }) {
  app.get('/skills/index', { schema: listIndex }, ({ principal, query }) =>
    attachmentService.index(principal, query)
  )

  app.get('/skills/agents/:agentId', { schema: listOfAgent }, ({ principal, params, query }) =>
    attachmentService.list(principal, params.agentId, query)
  )

  app.get('/skills/:id/agents', { schema: listAgentsOf }, ({ principal, params, query }) =>
    attachmentService.listAgents(principal, params.id, query)
  )

  app.put(
    '/skills/:id/agents/:agentId',
    { schema: setAttachment, config: { principals: ['user', 'service'] } },
    async ({ principal, params: { id, agentId }, body }) => ({
      data: await attachmentService.set(principal, id, agentId, body.attached)
    })
  )
}
