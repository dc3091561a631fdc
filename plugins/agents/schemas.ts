import {
  Changes,
  Data,
  Deleted,
  Name,
  OrNull,
  Page,
  Paging,
  Replacement,
  Searching,
  Time,
  table
} from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { AgentOptions } from './options.ts'

export type { AgentOptions } from './options.ts'

const writable = {
  name: Name({ examples: ['Ada'] }),
  instructions: OrNull(Type.String({ maxLength: 100_000, description: 'The system prompt' })),
  modelProvider: OrNull(Type.String({ minLength: 1, maxLength: 100, description: 'null: the default' })),
  modelId: OrNull(Name()),
  temperature: OrNull(Type.Number({ minimum: 0, maximum: 2 })),
  maxTokens: OrNull(
    Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Greatest length of a reply' })
  ),
  options: OrNull(AgentOptions)
}
const { name, ...optional } = writable
export const agentFields = writable
const NewAgent = Type.Object(
  { name, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'NewAgent' }
)
const AgentAvatar = Type.Object(
  {
    url: Type.String({
      description: 'Relative to the address of the platform; read with a credential',
      examples: ['/v1/agents/agent_01k4qz0000e0080000000000ab/avatar']
    }),
    sha256: Type.String({ description: 'Of the image' }),
    updatedAt: Time
  },
  { title: 'AgentAvatar' }
)
const Agent = Type.Object(
  {
    id: Type.String({ examples: ['agent_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    ...writable,
    avatar: OrNull(AgentAvatar),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Agent' }
)
const AgentChanges = Changes(Agent, [
  'name',
  'instructions',
  'modelProvider',
  'modelId',
  'temperature',
  'maxTokens',
  'options'
])

const Knowledgebase = Type.Object(
  {
    agentId: Type.String(),
    owner: Type.String(),
    content: Type.String({ maxLength: 200_000, description: 'Stands in every prompt of the agent' }),
    version: Type.Integer({ description: 'Counts replacements, 0 before the first; the ETag' }),
    createdAt: OrNull(Time),
    updatedAt: OrNull(Time)
  },
  { title: 'Knowledgebase' }
)
const NewKnowledgebase = Replacement(Knowledgebase, ['content'])

const NewConnection = Type.Object(
  {
    peerAgentId: Type.String({
      description: 'The agent to work with; or an agent elsewhere (`remote_…`), which is called as a tool'
    }),
    description: Type.Optional(OrNull(Type.String({ maxLength: 500, description: 'When to prefer it' })))
  },
  { title: 'NewPreferredConnection' }
)
const Connection = Type.Object(
  {
    id: Type.String({ examples: ['connection_01k4qz0000e0080000000000ab'] }),
    agentId: Type.String(),
    owner: Type.String(),
    peerAgentId: Type.String(),
    description: OrNull(Type.String()),
    createdAt: Time
  },
  { title: 'PreferredConnection' }
)

export const agents = table('agents.agent', Agent, {
  searched: ['name'],
  only: (query) => query.whereNull('deletedAt')
})
export const connections = table('agents.connection', Connection, { what: 'Preferred connection' })

export type Agent = Static<typeof Agent>
export type NewAgent = Static<typeof NewAgent>
export type AgentChanges = Static<typeof AgentChanges>
export type Knowledgebase = Static<typeof Knowledgebase>
export type Connection = Static<typeof Connection>
export type NewConnection = Static<typeof NewConnection>

const tags = ['agents']
const params = Type.Object({ agentId: Type.String() })

export const createAgent = {
  tags,
  summary: 'Create an agent',
  body: NewAgent,
  response: { 201: Data(Agent) }
}
export const listAgents = {
  tags,
  summary: 'List agents',
  querystring: Type.Object({
    ...Searching,
    owner: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Only those of this owner' })
    )
  }),
  response: { 200: Page(Agent) }
}
export const readAgent = { tags, summary: 'Get an agent', params, response: { 200: Data(Agent) } }
export const updateAgent = {
  tags,
  summary: 'Update an agent',
  params,
  body: AgentChanges,
  response: { 200: Data(Agent) }
}
export const deleteAgent = {
  tags,
  summary: 'Delete an agent and everything that is kept for it',
  params,
  response: { 200: Deleted }
}
export const readKnowledgebase = {
  tags,
  summary: 'Read the always-on context',
  params,
  response: { 200: Data(Knowledgebase) }
}
export const replaceKnowledgebase = {
  tags,
  summary: 'Replace the always-on context',
  params,
  body: NewKnowledgebase,
  response: { 200: Data(Knowledgebase) }
}
export const listConnections = {
  tags,
  summary: 'List preferred peer agents',
  params,
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Connection) }
}
export const pinConnection = {
  tags,
  summary: 'Pin a peer agent',
  params,
  body: NewConnection,
  response: { 201: Data(Connection) }
}
export const unpinConnection = {
  tags,
  summary: 'Unpin a peer agent',
  params: Type.Object({ id: Type.String() }),
  response: { 200: Deleted }
}
