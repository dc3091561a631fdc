import type { Kernel, Paging as PageQuery } from 'agent-platform'
import { Closed, Page, Paging, pageOf } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { agents, readAgent } from './schemas.ts'
import type { AgentService } from './services/agents.ts'
import type { AgentStore } from './stores/agents.ts'

const scope = ['agents:read']
const Agent = readAgent.response[200].properties.data
const ReadParams = Closed({ agentId: Type.String({ maxLength: 128 }) })

/** Which agents there are: of one that was narrowed, those that it names. */
export const listCapability = ({
  knex,
  agentStore
}: Pick<Kernel, 'knex'> & { agentStore: AgentStore }): Capability<PageQuery> => ({
  title: 'List agents',
  description: 'Ids and names of the agents that the caller can read, newest first, in pages',
  risk: 'low',
  reaches: 'Reads the names of the agents that you can read',
  narrows: { to: 'agents' },
  scope,
  params: Closed(Paging),
  result: Page(Type.Pick(Agent, ['id', 'name'])),
  idempotent: true,
  call: async (by, page, { grant }) =>
    grant.agents
      ? pageOf('agents', await agentStore.listSome(by, grant.agents), page)
      : agents.list(knex, by, page)
})

/** One agent, with what its owner wrote for it. */
export const readCapability = ({
  agentService
}: {
  agentService: AgentService
}): Capability<Static<typeof ReadParams>> => ({
  title: 'Read an agent',
  description: 'An agent that the caller can read: its name, instructions and model',
  risk: 'medium',
  reaches: 'Reads the agents that you can read, with their instructions',
  narrows: { to: 'agents', at: '/agentId' },
  scope,
  params: ReadParams,
  result: Type.Pick(Agent, ['id', 'name', 'instructions', 'modelProvider', 'modelId']),
  idempotent: true,
  call: (by, { agentId }) => agentService.owned(by, agentId, 'read', '/agentId')
})
