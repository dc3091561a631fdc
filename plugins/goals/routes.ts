import type { App } from 'agent-platform'
import { resourceRoutes } from 'agent-platform'
import { Goal, GoalChanges, GoalQuery, NewGoal } from './schemas.ts'
import type { GoalService } from './service.ts'

export const goalRoutes = (app: App, { goalService }: { goalService: GoalService }) =>
  resourceRoutes(app, goalService, {
    pack: 'goals',
    noun: 'goal',
    shape: Goal,
    create: NewGoal,
    changes: GoalChanges,
    query: GoalQuery,
    reading: 'agents'
  })
