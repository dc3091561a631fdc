import { definePack } from 'agent-platform'
import type {} from '../agents/contract.ts'
import type {} from '../archives/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../models/contract.ts'
import type {} from '../retrieval/contract.ts'
import type {} from '../runs/contract.ts'
import type {} from '../sessions/contract.ts'
import type {} from '../tools/contract.ts'
import { rememberCapability, searchCapability } from './capabilities.ts'
import { createExtraction } from './extraction/extraction.ts'
import { memoryRoutes } from './routes.ts'
import { createAgentSettings } from './services/agent-settings.ts'
import { createArchivePart } from './services/archive-part.ts'
import { memoryCollection } from './services/collection.ts'
import { createMemoryContext } from './services/context.ts'
import { createMemoryService } from './services/memories.ts'
import { createRecall } from './services/recall.ts'
import { createMemoryRemoval } from './services/removal.ts'
import { createScopeService } from './services/scopes.ts'
import { createMemorySubjects } from './services/subjects.ts'
import { createMemoryWriting } from './services/writing.ts'
import { MemorySettings } from './settings.ts'
import { createAgentStore } from './stores/agents.ts'
import { createMemoryStore } from './stores/memories.ts'
import { createScopeStore } from './stores/scopes.ts'
import { forgetTool, recallTool, rememberTool } from './tools.ts'

/** Memory: what agents learn, corrected and traced, alone or shared. */
export default definePack({
  name: 'memory',
  area: 'Knowledge',
  summary: 'long-term memory of agents, with corrections, sources and shared scopes',
  requires: ['agents', 'jobs', 'models', 'retrieval', 'sessions'],
  uses: ['runs'],
  settings: MemorySettings,
  services: {
    agentStore: createAgentStore,
    memoryStore: createMemoryStore,
    scopeStore: createScopeStore,
    agentSettings: createAgentSettings,
    memorySubjects: createMemorySubjects,
    memoryWriting: createMemoryWriting,
    memoryService: createMemoryService,
    recall: createRecall,
    scopeService: createScopeService,
    memoryRemoval: createMemoryRemoval,
    memoryContext: createMemoryContext,
    extraction: createExtraction,
    archivePart: createArchivePart
  },
  routes: memoryRoutes,
  contributes: {
    'archives.part': [{ make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'memory.search', make: searchCapability },
      { key: 'memory.remember', make: rememberCapability }
    ],
    'retrieval.collection': [{ key: 'memory.memory', make: memoryCollection }],
    'runs.context': [{ make: ({ memoryContext }) => memoryContext }],
    'tools.static': [
      { key: 'remember', make: rememberTool },
      { key: 'recall', make: recallTool },
      { key: 'forget', make: forgetTool }
    ],
    'jobs.worker': [
      {
        key: 'memory.extract',
        make: ({ extraction }) => ({
          work: (order, signal) => extraction.extract(order as never, signal),
          concurrency: 2,
          retries: 2
        })
      }
    ]
  },
  on: { 'runs.completed': { batch: ({ extraction }) => extraction.request } },
  cascade: {
    'agents.deleted': {
      memory: ({ memoryRemoval }) => memoryRemoval.ofAgent,
      agent: ({ agentStore }) => agentStore.removeOfAgent,
      scope:
        ({ scopeStore }) =>
        ({ project, id }, trx, limit) =>
          scopeStore.removeAgent(trx, project, id, limit)
    },
    'memory.scope_deleted': { memory: ({ memoryRemoval }) => memoryRemoval.ofScope }
  },
  stop: async ({ agentSettings }) => agentSettings.close()
})
