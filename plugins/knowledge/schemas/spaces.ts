import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { grants } from './grants.ts'

const provider = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,63}$',
  description: 'What searches the space, as `GET /v1/knowledge/providers` lists it'
})
const stored = Type.Object(
  {
    id: Type.String({ examples: ['space_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description: OrNull(Type.String({ maxLength: 5_000 })),
    provider,
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'KnowledgeSpace' }
)
export const spaces = table('knowledge.space', stored)
export type StoredSpace = Static<typeof stored> & { readonly project: string }

const Space = Type.Object(
  {
    ...stored.properties,
    access: Type.Enum([...grants.levels], { description: 'What the caller may do here' })
  },
  { title: 'KnowledgeSpace' }
)
const NewSpace = Type.Object(
  {
    name: Name(),
    description: Type.Optional(stored.properties.description),
    provider: Type.Optional({ ...provider, default: 'embedded' })
  },
  { title: 'NewKnowledgeSpace' }
)
const SpaceChanges = Changes(Space, ['name', 'description', 'provider'])
const SpaceQuery = Type.Object({
  ...Searching,
  owner: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Only those of this owner' }))
})
export type Space = Static<typeof Space>
export type NewSpace = Static<typeof NewSpace>
export type SpaceChanges = Static<typeof SpaceChanges>
export type SpaceQuery = Static<typeof SpaceQuery>

const tags = ['knowledge']
export const SpaceParams = Type.Object({ spaceId: Type.String() })

export const listSpaces = {
  tags,
  summary: 'List the spaces that the caller may read',
  querystring: SpaceQuery,
  response: { 200: Page(Space) }
}
export const createSpace = {
  tags,
  summary: 'Create a space',
  body: NewSpace,
  response: { 201: Data(Space) }
}
export const readSpace = { tags, summary: 'Get a space', params: SpaceParams, response: { 200: Data(Space) } }
export const updateSpace = {
  tags,
  summary: 'Update a space',
  params: SpaceParams,
  body: SpaceChanges,
  response: { 200: Data(Space) }
}
export const deleteSpace = {
  tags,
  summary: 'Delete a space with all that is in it',
  params: SpaceParams,
  response: { 200: Deleted }
}
