import { Data, Deleted, Name, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Place = Type.Union([Type.Literal('header'), Type.Literal('query'), Type.Literal('body')])

export const ToolKeyMapping = Type.Object(
  {
    id: Type.String({ examples: ['tmap_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The key’s, or the connection’s' }),
    keyId: OrNull(Type.String()),
    connectionId: OrNull(Type.String({ description: 'Of an OAuth connection that is used like a key' })),
    scopes: Type.Array(Type.String(), { description: 'What the connection has to be allowed' }),
    toolId: Type.String(),
    in: Place,
    name: Name(),
    createdAt: Time
  },
  { title: 'ToolKeyMapping' }
)
export type ToolKeyMapping = Static<typeof ToolKeyMapping>

export const mappings = table('tools.key_mapping', ToolKeyMapping, {
  type: 'tmap',
  what: 'Tool key mapping'
})

/** Where a key is in use. */
export const Use = Type.Object(
  { ...ToolKeyMapping.properties, toolName: Type.String() },
  { title: 'ToolKeyUse' }
)
export type Use = Static<typeof Use>
export const NewToolKeyMapping = Type.Object(
  {
    keyId: Type.Optional(Type.String()),
    connectionId: Type.Optional(Type.String({ description: 'Instead of a key; stands in a header' })),
    scopes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        maxItems: 50,
        uniqueItems: true,
        description: 'What the connection has to be allowed, now and at each call'
      })
    ),
    toolId: Type.String({ description: 'Id or name' }),
    in: Type.Optional({ ...Place, description: 'Default: `header`' }),
    name: Type.Optional(
      Name({
        description:
          'Of the header, of the query, or of the body’s field; default: `authorization` in a header'
      })
    )
  },
  { title: 'NewToolKeyMapping' }
)
export type NewToolKeyMapping = Static<typeof NewToolKeyMapping>

const tags = ['tools']

export const mapKey = {
  tags,
  summary: 'Map a key, or a connection, to a tool',
  body: NewToolKeyMapping,
  response: { 201: Data(ToolKeyMapping) }
}
export const listMappings = {
  tags,
  summary: 'List which keys and connections go with which tools',
  description: 'The caller’s own; with `toolId` all of a tool that the caller manages.',
  querystring: Type.Object({
    ...Paging,
    toolId: Type.Optional(Type.String({ description: 'Id or name' })),
    keyId: Type.Optional(Type.String()),
    connectionId: Type.Optional(Type.String())
  }),
  response: { 200: Page(Use) }
}
export const unmapKey = {
  tags,
  summary: 'Take a key from a tool',
  params: Type.Object({ mappingId: Type.String() }),
  response: { 200: Deleted }
}
