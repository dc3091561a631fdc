import { Changes, Data, Name, OrNull, Page, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { NewToolKeyMapping, Use } from './mappings.ts'

export const ToolKey = Type.Object(
  {
    id: Type.String({ examples: ['tkey_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: Name(),
    description: OrNull(Type.String({ maxLength: 2_000 })),
    allowedHosts: Type.Array(Type.String(), {
      description: 'Host names, or `host:port`, that it may be sent to'
    }),
    prefix: Type.String({ description: 'Its first characters, to tell it from others' }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time,
    rotatedAt: OrNull(Time)
  },
  { title: 'ToolKey' }
)
export type ToolKey = Static<typeof ToolKey>
export const keys = table<typeof ToolKey, { readonly sealed: string }>('tools.tool_key', ToolKey, {
  also: ['sealed'],
  searched: ['name', 'description'],
  type: 'tkey'
})

const ToolKeyInUse = Type.Object(
  { ...ToolKey.properties, mappings: Type.Array(Use) },
  { title: 'ToolKeyInUse' }
)

const value = Type.String({
  minLength: 8,
  maxLength: 8_192,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
  writeOnly: true,
  description: 'The secret: printable ASCII. Never shown again'
})
const allowedHosts = Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Host names, which are https, or `host:port`; it is sent nowhere else',
  examples: [['api.example.com']]
})

const NewToolKey = Type.Object(
  { name: Name(), description: Type.Optional(ToolKey.properties.description), value, allowedHosts },
  { title: 'NewToolKey' }
)
export type NewToolKey = Static<typeof NewToolKey>

const ToolKeyChanges = Changes(
  Type.Object({ ...ToolKeyInUse.properties, allowedHosts, value }, { title: 'ToolKey' }),
  ['name', 'description', 'allowedHosts', 'value']
)
export type ToolKeyChanges = Static<typeof ToolKeyChanges>

const ToolKeyTest = Type.Object(
  {
    url: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'Default: that of a tool that the key is mapped to' })
    ),
    method: Type.Optional(Type.Union([Type.Literal('GET'), Type.Literal('HEAD')], { default: 'GET' })),
    in: Type.Optional(
      Type.Union([Type.Literal('header'), Type.Literal('query')], {
        description: 'Default: as it is mapped, else `header`'
      })
    ),
    name: Type.Optional({
      ...NewToolKeyMapping.properties.name,
      description: 'Default: as it is mapped, else `authorization`'
    })
  },
  { title: 'NewToolKeyTest' }
)
export type ToolKeyTest = Static<typeof ToolKeyTest>

const Tested = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the status is below 300' }),
    status: Type.Integer(),
    milliseconds: Type.Integer()
  },
  { title: 'ToolKeyTest' }
)
export type Tested = Static<typeof Tested>

const tags = ['tools']
const params = Type.Object({ keyId: Type.String() })

export const createKey = { tags, summary: 'Store a key', body: NewToolKey, response: { 201: Data(ToolKey) } }
export const listKeys = {
  tags,
  summary: 'List keys, without their values',
  querystring: Type.Object({ ...Searching }),
  response: { 200: Page(ToolKey) }
}
export const readKey = {
  tags,
  summary: 'Get a key, without its value, and what uses it',
  params,
  response: { 200: Data(ToolKeyInUse) }
}
export const updateKeyMetadata = {
  tags,
  summary: 'Rename or describe a key, or change its hosts; more hosts need the value again',
  params,
  body: ToolKeyChanges,
  response: { 200: Data(ToolKey) }
}
export const rotateKey = {
  tags,
  summary: 'Replace the value of a key',
  params,
  body: Type.Object({ value }, { title: 'ToolKeyValue' }),
  response: { 200: Data(ToolKey) }
}
export const testKey = {
  tags,
  summary: 'Call an address with a key',
  description:
    'A key that is mapped to a tool needs nothing more: an empty body calls the address of that tool.',
  params,
  body: Type.Union([Type.Null(), ToolKeyTest]),
  response: { 200: Data(Tested), 502: {}, 504: {} }
}
export const deleteKey = {
  tags,
  summary: 'Delete a key; the reply says what was using it',
  description:
    'Tools that it is mapped to cannot be called any more, 409 `key_missing`, until another key takes its place or the mapping is deleted.',
  params,
  response: {
    200: Data(
      Type.Object(
        {
          id: Type.String(),
          deleted: Type.Literal(true),
          mappings: Type.Array(
            Type.Object({ id: Type.String(), toolId: Type.String(), toolName: Type.String() })
          )
        },
        { title: 'DeletedToolKey' }
      )
    )
  }
}
