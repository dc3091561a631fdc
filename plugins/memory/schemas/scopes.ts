import { Changes, Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Member = Type.Object(
  {
    agentId: Type.String(),
    access: Type.Enum(['read', 'write'], { description: '`write`: reads as well' })
  },
  { additionalProperties: false, title: 'ScopeMember' }
)

export const SharedScope = Type.Object(
  {
    id: Type.String({ examples: ['scope_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description: OrNull(
      Type.String({ maxLength: 1_000, description: 'What belongs in it; agents that write are told' })
    ),
    agents: Type.Array(Member, { maxItems: 200, description: 'Each agent once' }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'SharedScope' }
)
export const NewSharedScope = Type.Object(
  {
    name: SharedScope.properties.name,
    description: Type.Optional(SharedScope.properties.description),
    agents: Type.Optional(SharedScope.properties.agents)
  },
  { title: 'NewSharedScope' }
)
export const SharedScopeChanges = Changes(SharedScope, ['name', 'description', 'agents'])

export const AgentScope = Type.Object(
  { ...SharedScope.properties, access: Member.properties.access },
  { title: 'AgentScope' }
)

export type SharedScope = Static<typeof SharedScope>
export type NewSharedScope = Static<typeof NewSharedScope>
export type SharedScopeChanges = Static<typeof SharedScopeChanges>
export type AgentScope = Static<typeof AgentScope>

export const scopes = table('memory.scope', SharedScope, { what: 'Shared scope' })

const tags = ['memory']
const params = Type.Object({ scopeId: Type.String() })
const response = { 200: Data(SharedScope) }

export const createScope = {
  tags,
  summary: 'Create a shared memory scope',
  body: NewSharedScope,
  response: { 201: Data(SharedScope) }
}
export const listScopes = {
  tags,
  summary: 'List the shared scopes that an agent can read',
  description: 'With what the agent may do in each.',
  params: Type.Object({ agentId: Type.String() }),
  querystring: Type.Object(Paging),
  response: { 200: Page(AgentScope) }
}
export const readScope = { tags, summary: 'Get a shared memory scope', params, response }
export const updateScope = {
  tags,
  summary: 'Update a shared memory scope',
  description:
    '`agents` replaces the list: an agent that is not in it any more reads nothing of the scope from then on.',
  params,
  body: SharedScopeChanges,
  response
}
export const deleteScope = {
  tags,
  summary: 'Delete a shared memory scope',
  description: 'With all that is remembered in it.',
  params,
  response: { 200: Deleted }
}
