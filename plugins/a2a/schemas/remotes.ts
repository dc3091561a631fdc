import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const url = { maxLength: 2_000, examples: ['https://agents.example/.well-known/agent-card.json'] }

export const RemoteSkill = Type.Object(
  { id: Type.String(), name: Type.String(), description: Type.String() },
  { title: 'RemoteSkill' }
)
export const RemoteAgent = Type.Object(
  {
    id: Type.String({ examples: ['remote_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description: Type.String({ description: 'As its card has it' }),
    cardUrl: Type.String(url),
    url: Type.String({ description: 'Where it takes tasks: keys of its tool have to allow that host' }),
    protocolVersion: Type.String({ examples: ['1.0'] }),
    streaming: Type.Boolean(),
    signature: Type.Enum(['verified', 'none'], {
      description: '`verified`: the card was signed by a key of the host that it, or the agent, is at'
    }),
    skills: Type.Array(RemoteSkill),
    toolId: Type.String({ description: 'The tool that it is, to be given to agents' }),
    toolName: Type.String(),
    checkedAt: OrNull(Time),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'RemoteAgent' }
)
const NewRemoteAgent = Type.Object(
  { cardUrl: Type.String(url), name: Type.Optional(Name({ description: 'Default: as its card has it' })) },
  { title: 'NewRemoteAgent', additionalProperties: false }
)
const RemoteAgentChanges = Changes(RemoteAgent, ['name'])

export type RemoteAgent = Static<typeof RemoteAgent>
export type NewRemoteAgent = Static<typeof NewRemoteAgent>
export type RemoteAgentChanges = Static<typeof RemoteAgentChanges>

export const remotes = table('a2a.remote', RemoteAgent, {
  what: 'Remote agent',
  searched: ['name', 'description']
})

const tags = ['a2a']
const params = Type.Object({ remoteId: Type.String() })
const response = { 200: Data(RemoteAgent) }

export const registerRemote = {
  tags,
  summary: 'Register an agent elsewhere by the address of its card',
  description:
    'It becomes a tool, which agents are given as any other; its credentials are keys that are mapped to that tool.',
  body: NewRemoteAgent,
  response: { 201: Data(RemoteAgent) }
}
export const listRemotes = {
  tags,
  summary: 'List agents elsewhere',
  querystring: Type.Object(Searching),
  response: { 200: Page(RemoteAgent) }
}
export const readRemote = { tags, summary: 'Get an agent elsewhere', params, response }
export const updateRemote = {
  tags,
  summary: 'Rename an agent elsewhere',
  params,
  body: RemoteAgentChanges,
  response
}
export const refreshRemote = {
  tags,
  summary: 'Read the card of an agent elsewhere anew',
  params,
  response
}
export const removeRemote = {
  tags,
  summary: 'Forget an agent elsewhere, and its tool',
  params,
  response: { 200: Deleted }
}
