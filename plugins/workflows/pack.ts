import { definePack } from 'agent-platform'
import type {} from './declared.ts'
import { workflowRoutes } from './routes/workflows.ts'
import { createDefinitionCheck } from './services/definition-check.ts'
import { createWorkflowService } from './services/workflows.ts'
import { createVersionStore } from './stores/versions.ts'

/** Workflows: graphs of steps that outlive processes, with people and the outside world in them. */
export default definePack({
  name: 'workflows',
  area: 'Work',
  summary: 'graphs of durable steps: agents, tools, conditions, waits and approvals',
  requires: ['agents', 'jobs', 'runs', 'tools'],
  services: {
    versionStore: createVersionStore,
    definitionCheck: createDefinitionCheck,
    workflowService: createWorkflowService
  },
  routes(app, deps) {
    workflowRoutes(app, deps)
  },
  cascade: { 'workflows.deleted': { version: 'workflowId' } }
})
