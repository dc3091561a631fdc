import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createAssignment,
  deleteAssignment,
  listAssignments,
  updateAssignment
} from '../schemas/assignments.ts'
import type { AssignmentService } from '../services/assignments.ts'

const writing = { scope: ['agents:write'] }

export function assignmentRoutes(app: App, { assignmentService }: { assignmentService: AssignmentService }) {
  app.get(
    '/agents/:agentId/tools',
    { schema: listAssignments, config: { scope: ['agents:read'] } },
    ({ principal, params, query }) => assignmentService.list(principal, params.agentId, query)
  )

  app.post(
    '/agents/:agentId/tools',
    { schema: createAssignment, config: { ...writing, principals: ['user', 'service'] } },
    async ({ principal, params, body }, reply) => {
      const assignment = await assignmentService.assign(principal, params.agentId, body)
      return reply.code(201).send({ data: assignment })
    }
  )

  app.patch('/agents/tools/:id', { schema: updateAssignment, config: writing }, async (request) => {
    const { principal, params, body } = request
    return { data: await assignmentService.update(principal, params.id, body, ifMatch(request)) }
  })

  app.delete('/agents/tools/:id', { schema: deleteAssignment, config: writing }, async (request) => {
    const { principal, params } = request
    await assignmentService.remove(principal, params.id, ifMatch(request))
    return { data: { id: params.id, deleted: true as const } }
  })
}
