import { Changes, Data, Deleted, OrNull, Page, Paging, Searching, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ToolName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['get_weather'] })

export const Tool = Type.Object(
  {
    id: Type.String({
      examples: ['tool_01k4qz0000e0080000000000ab'],
      description: 'Of a static tool: its name'
    }),
    name: ToolName,
    kind: Type.String({ examples: ['http'], description: '`static`, `http`, `mcp`, or what packs add' }),
    description: Type.String(),
    parameters: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of an object' }),
    config: Type.Object({}, { additionalProperties: true, description: 'Of its kind' }),
    idempotent: Type.Boolean({
      description: 'May be called again, with the same id, where an outcome is unknown'
    }),
    owner: OrNull(Type.String({ description: 'null: static, everyone’s' })),
    available: Type.Boolean({ description: 'Agents may be offered it' }),
    unavailable: OrNull(Type.String({ description: 'Why not' })),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: OrNull(Time),
    updatedAt: OrNull(Time)
  },
  { title: 'Tool' }
)
export type Tool = Static<typeof Tool>

const Registered = Type.Omit(Tool, ['available'], { title: 'Tool' })
type Config = { readonly config: Readonly<Record<string, unknown>> }
export const tools = table<typeof Registered, Config>('tools.tool', Registered)

const Description = Type.String({
  minLength: 1,
  pattern: '\\S',
  maxLength: 10_000,
  description: 'What the model is told that it does'
})
const Json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const parameters = Json('JSON Schema of an object; arguments are checked by it')
const config = Json('Of its kind')
const NewTool = Type.Object(
  {
    name: ToolName,
    kind: Type.Optional(Type.String({ minLength: 1, maxLength: 64, default: 'http' })),
    description: Description,
    parameters: Type.Optional(parameters),
    config,
    idempotent: Type.Optional(Type.Boolean({ default: false }))
  },
  { title: 'NewTool' }
)
export type NewTool = Static<typeof NewTool>

const ToolChanges = Changes(
  Type.Object(
    { ...Tool.properties, grant: Type.Unknown(), description: Description, parameters, config },
    { title: 'Tool' }
  ),
  ['name', 'description', 'parameters', 'config', 'idempotent']
)
export type ToolChanges = Static<typeof ToolChanges>

const tags = ['tools']
const params = Type.Object({ name: Type.String({ description: 'Name or id' }) })

export const listTools = {
  tags,
  summary: 'List tools that the caller may use',
  querystring: Type.Object({
    ...Searching,
    kind: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this kind' })),
    owner: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Only those of this owner' })
    )
  }),
  response: { 200: Page(Tool) }
}
export const listStaticTools = {
  tags,
  summary: 'List tools that the platform brings along',
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Tool) }
}
export const createTool = {
  tags,
  summary: 'Register a tool',
  body: NewTool,
  response: { 201: Data(Tool) }
}
export const readTool = { tags, summary: 'Get a tool', params, response: { 200: Data(Tool) } }
export const updateTool = {
  tags,
  summary: 'Update a tool',
  params,
  body: ToolChanges,
  response: { 200: Data(Tool) }
}
export const deleteTool = {
  tags,
  summary: 'Delete a tool, with its assignments, permissions and key mappings',
  params,
  response: { 200: Deleted }
}
