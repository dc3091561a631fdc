import { definePack } from 'agent-platform'
import { goalRoutes } from './routes.ts'
import { createGoalService } from './service.ts'
import { createGoalStore } from './store.ts'

/** Goals: what an agent is working towards, and how far along it is. */
export default definePack({
  name: 'goals',
  area: 'Work',
  summary: 'what an agent is working towards, and how far along it is',
  requires: ['agents'],
  services: { goalStore: createGoalStore, goalService: createGoalService },
  routes: goalRoutes,
  contributes: {
    'agents.belongings': [{ make: ({ goalStore }) => ({ remove: goalStore.removeOfAgent }) }]
  }
})
