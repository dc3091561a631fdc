import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createAssignment,
  deleteAssignment,
  listAssignments,
  updateAssignment
} from '../schemas/assignments.ts'
import type { AssignmentService } from '../services/assignments.ts'

export function assignmentRoutes(app: App, { assignmentService }: { assignmentService: AssignmentService }) {
  app.get('/agents/:agentId/tools', { schema: listAssignments }, ({ principal, params, query }) =>
    assignmentService.list(principal, params.agentId, query)
  )

  app.post(
    '/agents/:agentId/tools',
    { schema: createAssignment },
    async ({ principal, params, body }, reply) => {
      const assignment = await assignmentService.assign(principal, params.agentId, body)
      return reply.code(201).send({ data: assignment })
    }
  )

  app.patch('/agents/tools/:id', { schema: updateAssignment }, async (request) => {
    const { principal, params, body } = request
    return { data: await assignmentService.update(principal, params.id, body, ifMatch(request)) }
  })

  app.delete('/agents/tools/:id', { schema: deleteAssignment }, async ({ principal, params }) => {
    await assignmentService.remove(principal, params.id)
    return { data: { id: params.id, deleted: true as const } }
  })
}
