import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { createAgent, deleteAgent, listAgents, readAgent, updateAgent } from '../schemas.ts'
import type { AgentService } from '../services/agents.ts'

const reading = { scope: ['agents:read'], tokens: 'agents' } as const
const writing = { scope: ['agents:write'] }

export function agentRoutes(app: App, { agentService }: { agentService: AgentService }) {
  app.post(
    '/agents',
    { schema: createAgent, config: { scope: ['agents:create'] } },
    async ({ principal, body }, reply) => {
      const agent = await agentService.create(principal, body)
      return reply.code(201).send({ data: agent })
    }
  )

  app.get('/agents', { schema: listAgents, config: reading }, ({ principal, query }) =>
    agentService.list(principal, query)
  )

  app.get('/agents/:agentId', { schema: readAgent, config: reading }, async ({ principal, params }) => {
    return { data: await agentService.owned(principal, params.agentId, 'read') }
  })

  app.put('/agents/:agentId', { schema: updateAgent, config: writing }, async (request) => {
    const { principal, params, body } = request
    return { data: await agentService.update(principal, params.agentId, body, ifMatch(request)) }
  })

  app.delete('/agents/:agentId', { schema: deleteAgent, config: writing }, async (request) => {
    const { principal, params } = request
    await agentService.remove(principal, params.agentId, ifMatch(request))
    return { data: { id: params.agentId, deleted: true as const } }
  })
}
