import { definePack } from 'agent-platform'
import type {} from '../mcp-server/contract.ts'
import type {} from '../tools/contract.ts'
import type {} from '../ui-plugins/contract.ts'
import type {} from '../workflows/contract.ts'
import { createFunctionKind } from './services/function-kind.ts'
import { createFunctionSource } from './services/function-source.ts'
import { createFunctionStep } from './services/function-step.ts'
import { createFunctionTools } from './services/function-tools.ts'
import { createReconciliation } from './services/reconciliation.ts'
import { createToolStore } from './stores/tools.ts'

/** Functions of third-party apps, for agents, workflows, and clients of the Model Context Protocol. */
export default definePack({
  name: 'app-functions',
  area: 'Apps',
  summary: 'functions of third-party apps as agent tools, workflow steps and MCP tools',
  requires: ['tools', 'ui-plugins'],
  services: {
    toolStore: createToolStore,
    functionTools: createFunctionTools,
    reconciliation: createReconciliation,
    functionKind: createFunctionKind,
    functionStep: createFunctionStep,
    functionSource: createFunctionSource
  },
  contributes: {
    'tools.kind': [{ key: 'app', make: ({ functionKind }) => functionKind }],
    'workflows.step': [{ key: 'app', make: ({ functionStep }) => functionStep }],
    'mcp-server.source': [{ key: 'apps', make: ({ functionSource }) => functionSource }]
  },
  on: {
    'ui-plugins.enabled': ({ functionTools }) => functionTools.changed,
    'ui-plugins.disabled': ({ functionTools }) => functionTools.changed,
    'ui-plugins.deleted': ({ functionTools }) => functionTools.deleted
  },
  resume: async ({ reconciliation }) => reconciliation.begin(),
  stop: ({ reconciliation }) => reconciliation.close()
})
