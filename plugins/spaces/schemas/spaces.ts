import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Member, roles } from './members.ts'
import { Message } from './messages.ts'

const stored = Type.Object(
  {
    id: Type.String({ examples: ['space_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description: OrNull(Type.String({ maxLength: 5_000, pattern: '^[^\\u0000]*$' })),
    visibility: Type.Enum(['private', 'public'], {
      description: 'A public space can be found and joined by everyone in the project'
    }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Space' }
)
export const spaces = table('spaces.space', stored)
export type StoredSpace = Static<typeof stored> & { readonly project: string }

const Space = Type.Object(
  {
    ...stored.properties,
    role: OrNull(
      Type.Enum([...roles], { description: 'The caller’s; null: it is public, and the caller no member' })
    ),
    fleetId: Type.String({ description: 'The agents of the space as a fleet: `GET /fleets/:id/world`' })
  },
  { title: 'Space' }
)
const NewSpace = Type.Object(
  {
    name: Name(),
    description: Type.Optional(stored.properties.description),
    visibility: Type.Optional({ ...stored.properties.visibility, default: 'private' })
  },
  { title: 'NewSpace' }
)
const FullSpace = Type.Object(
  {
    ...Space.properties,
    members: Type.Array(Member, { description: 'The newest hundred' }),
    messages: Type.Array(Message, { description: 'The latest hundred, oldest first' }),
    seq: Type.Integer({
      description: 'Of the stream, as this was read: follow what comes with `subscribe?after=`'
    })
  },
  { title: 'FullSpace' }
)
const SpaceChanges = Changes(
  Type.Object(
    { ...Space.properties, members: Type.Unknown(), messages: Type.Unknown(), seq: Type.Unknown() },
    { title: 'Space' }
  ),
  ['name', 'description', 'visibility']
)
const SpaceQuery = Type.Object({ ...Searching })
export type Space = Static<typeof Space>
export { Space }
export type FullSpace = Static<typeof FullSpace>
export type NewSpace = Static<typeof NewSpace>
export type SpaceChanges = Static<typeof SpaceChanges>
export type SpaceQuery = Static<typeof SpaceQuery>

const tags = ['spaces']
export const InSpace = Type.Object({ spaceId: Type.String() })

export const listSpaces = {
  tags,
  summary: 'List the spaces that the caller is a member of',
  querystring: SpaceQuery,
  response: { 200: Page(Space) }
}
export const listPublicSpaces = {
  tags,
  summary: 'List the public spaces of the project',
  querystring: SpaceQuery,
  response: { 200: Page(Space) }
}
export const createSpace = { tags, summary: 'Create a space', body: NewSpace, response: { 201: Data(Space) } }
export const readSpace = { tags, summary: 'Get a space', params: InSpace, response: { 200: Data(Space) } }
export const readFullSpace = {
  tags,
  summary: 'Get a space with its members and messages',
  params: InSpace,
  response: { 200: Data(FullSpace) }
}
export const updateSpace = {
  tags,
  summary: 'Update a space',
  params: InSpace,
  body: SpaceChanges,
  response: { 200: Data(Space) }
}
export const deleteSpace = {
  tags,
  summary: 'Delete a space with all that was said in it',
  params: InSpace,
  response: { 200: Deleted }
}
