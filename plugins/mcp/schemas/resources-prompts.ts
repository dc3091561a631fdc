import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const text = (description: string) => OrNull(Type.String({ description }))

const McpResource = Type.Object(
  {
    id: Type.String(),
    serverId: Type.String(),
    type: Type.Union([Type.Literal('resource'), Type.Literal('template')]),
    uri: Type.String({ description: 'Of a template: with places to fill, as RFC 6570' }),
    name: Type.String(),
    title: OrNull(Type.String()),
    description: OrNull(Type.String()),
    mimeType: OrNull(Type.String()),
    size: OrNull(Type.Integer({ description: 'Bytes' })),
    createdAt: Time
  },
  { title: 'McpResource' }
)
export type McpResource = Static<typeof McpResource>

const McpPrompt = Type.Object(
  {
    id: Type.String(),
    serverId: Type.String(),
    name: Type.String(),
    title: OrNull(Type.String()),
    description: OrNull(Type.String()),
    arguments: Type.Array(
      Type.Object({ name: Type.String(), description: OrNull(Type.String()), required: Type.Boolean() })
    ),
    createdAt: Time
  },
  { title: 'McpPrompt' }
)
export type McpPrompt = Static<typeof McpPrompt>

const Contents = Type.Object(
  {
    contents: Type.Array(
      Type.Object({
        uri: Type.String(),
        mimeType: OrNull(Type.String()),
        text: text('Null where it is no text'),
        blob: text('Base64')
      })
    )
  },
  { title: 'McpResourceContents' }
)
export type Contents = Static<typeof Contents>

const Rendered = Type.Object(
  {
    description: OrNull(Type.String()),
    messages: Type.Array(
      Type.Object({
        role: Type.String(),
        content: Type.Object({}, { additionalProperties: true, description: 'A content block of MCP' })
      })
    )
  },
  { title: 'McpRenderedPrompt' }
)
export type Rendered = Static<typeof Rendered>

const RenderArguments = Type.Object({
  arguments: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 100_000 })))
})

const tags = ['mcp']
const params = Type.Object({ serverId: Type.String() })
const querystring = Type.Object({ ...Paging })

export const listResources = {
  tags,
  summary: 'List the resources and templates that were discovered at a server',
  params,
  querystring,
  response: { 200: Page(McpResource) }
}
export const readResource = {
  tags,
  summary: 'Read a resource of a tool server',
  params,
  querystring: Type.Object({ uri: Type.String({ minLength: 1, maxLength: 4_000 }) }),
  response: { 200: Data(Contents) }
}
export const listPrompts = {
  tags,
  summary: 'List the prompts that were discovered at a server',
  params,
  querystring,
  response: { 200: Page(McpPrompt) }
}
export const renderPrompt = {
  tags,
  summary: 'Render a prompt of a tool server',
  params: Type.Object({ serverId: Type.String(), promptName: Type.String() }),
  body: Type.Union([Type.Null(), RenderArguments]),
  response: { 200: Data(Rendered) }
}
