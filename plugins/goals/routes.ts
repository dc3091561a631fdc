import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { createGoal, readGoal, updateGoal } from './schemas.ts'
import type { GoalService } from './service.ts'

export function goalRoutes(app: App, { goalService }: { goalService: GoalService }) {
  app.post('/goals', { schema: createGoal }, async ({ principal, body }, reply) => {
    const goal = await goalService.create(principal, body)
    return reply.code(201).send({ data: goal })
  })

  app.get('/goals/:goalId', { schema: readGoal }, async ({ principal, params }) => {
    return { data: await goalService.read(principal, params.goalId) }
  })

  app.put('/goals/:goalId', { schema: updateGoal }, async (request) => {
    const { principal, params, body } = request
    return { data: await goalService.update(principal, params.goalId, body, ifMatch(request)) }
  })
}
