import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import { openGoals, progressTool } from './acting.ts'
import { goalPart } from './archive-part.ts'
import { listCapability, readCapability, updateCapability } from './capabilities.ts'
import { goalRoutes } from './routes.ts'
import { createGoalService } from './service.ts'

/** Goals of agents and their progress. */
export default definePack({
  name: 'goals',
  area: 'Work',
  summary: 'goals of agents and their progress',
  requires: ['agents'],
  services: { goalService: createGoalService },
  routes: goalRoutes,
  cascade: { 'agents.deleted': { goal: 'agentId' } },
  contributes: {
    'archives.part': [{ make: goalPart }],
    'ui-plugins.capability': [
      { key: 'goals.list', make: listCapability },
      { key: 'goals.read', make: readCapability },
      { key: 'goals.update', make: updateCapability }
    ],
    'runs.context': [{ make: openGoals }],
    'tools.static': [{ key: 'report_progress', make: progressTool }]
  }
})
