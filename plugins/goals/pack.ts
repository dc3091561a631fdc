import { definePack } from 'agent-platform'
import { openGoals, progressTool } from './acting.ts'
import { goalRoutes } from './routes.ts'
import { createGoalService } from './service.ts'

/** Goals: what an agent is working towards, and how far along it is. */
export default definePack({
  name: 'goals',
  area: 'Work',
  summary: 'what an agent is working towards, and how far along it is',
  requires: ['agents'],
  services: { goalService: createGoalService },
  routes: goalRoutes,
  cascade: { 'agents.deleted': { goal: 'agentId' } },
  contributes: {
    'runs.context': [{ make: openGoals }],
    'tools.static': [{ key: 'report_progress', make: progressTool }]
  }
})
