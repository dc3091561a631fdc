import { Changes, Data, Deleted, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const ids = (description: string) =>
  Type.Array(Type.String({ maxLength: 128 }), { maxItems: 100, uniqueItems: true, description })

export const Publication = Type.Object(
  {
    id: Type.String({ examples: ['publication_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String(),
    description: OrNull(
      Type.String({ maxLength: 2_000, description: 'What the card says of the agent to everyone' })
    ),
    tools: ids(
      'Tools of the agent that its card shows as skills, by id; those that it no longer has are left out'
    ),
    skills: ids('Skills of the agent that its card shows, by id; those that it no longer has are left out'),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'AgentPublication' }
)
export const PublicationChanges = Changes(Publication, ['description', 'tools', 'skills'])

export type Publication = Static<typeof Publication>
export type PublicationChanges = Static<typeof PublicationChanges>

export const publications = table('a2a.publication', Publication, { what: 'Publication' })

const tags = ['a2a']
export const params = Type.Object({ agentId: Type.String() })

export const listPublications = {
  tags,
  summary: 'List the agents that are published to other agents',
  querystring: Type.Object(Paging),
  response: { 200: Page(Publication) }
}
export const readPublication = {
  tags,
  summary: 'Get how an agent is published',
  params,
  response: { 200: Data(Publication) }
}
export const publish = {
  tags,
  summary: 'Publish an agent to other agents, or change what its card says',
  description:
    'From then on its card can be read by everyone, and callers who may run the agent give it tasks. For its owner, never for an agent.',
  params,
  body: PublicationChanges,
  response: { 200: Data(Publication) }
}
export const unpublish = {
  tags,
  summary: 'End the publication of an agent',
  description: 'Its card is gone, and no task is taken any more; those that are under way go on.',
  params,
  response: { 200: Deleted }
}
