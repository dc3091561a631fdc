import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createWorkflow,
  deleteWorkflow,
  listWorkflows,
  readWorkflow,
  updateWorkflow
} from '../schemas/workflows.ts'
import type { WorkflowService } from '../services/workflows.ts'

export function workflowRoutes(app: App, { workflowService }: { workflowService: WorkflowService }) {
  app.post(
    '/workflows',
    { schema: createWorkflow, config: { principals: ['user', 'service'] } },
    async ({ principal, body }, reply) => {
      const workflow = await workflowService.create(principal, body)
      return reply.code(201).send({ data: workflow })
    }
  )

  app.get('/workflows', { schema: listWorkflows }, ({ principal, query }) =>
    workflowService.list(principal, query)
  )

  app.get('/workflows/:id', { schema: readWorkflow }, async ({ principal, params }) => {
    return { data: await workflowService.read(principal, params.id) }
  })

  app.put('/workflows/:id', { schema: updateWorkflow }, async (request) => {
    const { principal, params, body } = request
    return { data: await workflowService.update(principal, params.id, body, ifMatch(request)) }
  })

  app.delete('/workflows/:id', { schema: deleteWorkflow }, async (request) => {
    const { principal, params } = request
    return { data: await workflowService.remove(principal, params.id, ifMatch(request)) }
  })
}
