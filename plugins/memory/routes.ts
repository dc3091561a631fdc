import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { readAgentSettings, updateAgentSettings } from './schemas/agent-settings.ts'
import {
  countMemories,
  createMemory,
  deleteMemory,
  listMemories,
  readMemory,
  retrieveMemories,
  updateMemory
} from './schemas/memories.ts'
import { createScope, deleteScope, listScopes, readScope, updateScope } from './schemas/scopes.ts'
import type { AgentSettings } from './services/agent-settings.ts'
import type { MemoryService } from './services/memories.ts'
import type { Recall } from './services/recall.ts'
import type { ScopeService } from './services/scopes.ts'

interface Deps {
  memoryService: MemoryService
  recall: Recall
  agentSettings: AgentSettings
  scopeService: ScopeService
}

/** What is written there by hand tells an agent how to act, also for others. */
const config = { tokens: 'agents' } as const

export function memoryRoutes(app: App, { memoryService, recall, agentSettings, scopeService }: Deps) {
  app.post('/memory', { schema: createMemory }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await memoryService.create(principal, body) })
  })
  app.get('/memory/agents/:agentId', { schema: listMemories, config }, ({ principal, params, query }) =>
    memoryService.list(principal, params.agentId, query)
  )
  app.get(
    '/memory/agents/:agentId/stats',
    { schema: countMemories, config },
    async ({ principal, params }) => {
      return { data: await memoryService.stats(principal, params.agentId) }
    }
  )
  app.get(
    '/memory/agents/:agentId/retrieve',
    { schema: retrieveMemories, config },
    ({ principal, params, query }) => recall.retrieve(principal, params.agentId, query)
  )
  app.get('/memory/:memoryId', { schema: readMemory, config }, async ({ principal, params }) => {
    return { data: await memoryService.read(principal, params.memoryId) }
  })
  app.patch('/memory/:memoryId', { schema: updateMemory }, async (request) => {
    const { principal, params, body } = request
    return { data: await memoryService.update(principal, params.memoryId, body, ifMatch(request)) }
  })
  app.delete('/memory/:memoryId', { schema: deleteMemory }, async (request) => {
    return { data: await memoryService.remove(request.principal, request.params.memoryId, ifMatch(request)) }
  })

  const settings = '/memory/agents/:agentId/settings'
  app.get(settings, { schema: readAgentSettings }, async ({ principal, params }) => {
    return { data: await agentSettings.read(principal, params.agentId) }
  })
  app.patch(settings, { schema: updateAgentSettings }, async (request) => {
    const { principal, params, body } = request
    return { data: await agentSettings.update(principal, params.agentId, body, ifMatch(request)) }
  })

  const path = '/memory/shared-scopes'
  app.post(path, { schema: createScope }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await scopeService.create(principal, body) })
  })
  app.get(`${path}/agents/:agentId`, { schema: listScopes }, ({ principal, params, query }) =>
    scopeService.listOfAgent(principal, params.agentId, query)
  )
  app.get(`${path}/:scopeId`, { schema: readScope }, async ({ principal, params }) => {
    return { data: await scopeService.read(principal, params.scopeId) }
  })
  app.patch(`${path}/:scopeId`, { schema: updateScope }, async (request) => {
    const { principal, params, body } = request
    return { data: await scopeService.update(principal, params.scopeId, body, ifMatch(request)) }
  })
  app.delete(`${path}/:scopeId`, { schema: deleteScope }, async (request) => {
    return { data: await scopeService.remove(request.principal, request.params.scopeId, ifMatch(request)) }
  })
}
