import { Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const McpTool = Type.Object(
  {
    id: Type.String({
      examples: ['tool_01k4qz0000e0080000000000ab'],
      description: 'As in the list of tools'
    }),
    owner: Type.String(),
    kind: Type.String({ examples: ['mcp'] }),
    name: Type.String({ description: 'As agents call it', examples: ['files__read'] }),
    serverId: Type.String(),
    originalName: Type.String({ description: 'As the server calls it', examples: ['read'] }),
    title: OrNull(Type.String()),
    description: Type.String(),
    parameters: Type.Object({}, { additionalProperties: true, description: 'JSON Schema' }),
    outputSchema: OrNull(Type.Object({}, { additionalProperties: true })),
    annotations: Type.Object({}, { additionalProperties: true, description: 'What the server claims of it' }),
    idempotent: Type.Boolean(),
    digest: Type.String({ description: 'Of its definition' }),
    approved: Type.Boolean({ description: 'Its owner approved this very definition' }),
    available: Type.Boolean({ description: 'Agents may be offered it' }),
    unavailable: OrNull(Type.String({ description: 'Why not' })),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'McpTool' }
)
export type McpTool = Static<typeof McpTool>

const tags = ['mcp']
const ofServer = Type.Object({ serverId: Type.String() })
const ofTool = Type.Object({ mcpToolId: Type.String({ description: 'Its id or its name' }) })
const querystring = Type.Object({ ...Paging })

export const syncServer = {
  tags,
  summary: 'Discover the tools, resources and prompts of a server anew',
  params: ofServer,
  body: Type.Union([
    Type.Null(),
    Type.Object({
      approve: Type.Optional(Type.Boolean({ description: 'Approve every tool as it is found' }))
    })
  ]),
  response: {
    200: Data(
      Type.Object(
        {
          id: Type.String(),
          tools: Type.Integer({ description: 'That the server offers' }),
          resources: Type.Integer(),
          prompts: Type.Integer(),
          added: Type.Integer({ description: 'Tools that were not there before' }),
          changed: Type.Integer({ description: 'Tools that are not as before, or are back' }),
          approved: Type.Integer({
            description: 'Tools that were there as they are, and are approved by this'
          }),
          gone: Type.Integer({ description: 'Tools that are not there any more' }),
          pending: Type.Integer({ description: 'Tools that wait for approval' }),
          refused: Type.Array(Type.String(), { description: 'What of its list was left out, and why' }),
          lastSyncAt: Time
        },
        { title: 'McpSync' }
      )
    )
  }
}
export const listServerTools = {
  tags,
  summary: 'List the tools that were discovered at a server',
  params: ofServer,
  querystring,
  response: { 200: Page(McpTool) }
}
export const listTools = {
  tags,
  summary: 'List the tools of tool servers that the caller may use',
  querystring,
  response: { 200: Page(McpTool) }
}
export const readTool = {
  tags,
  summary: 'Get a tool of a tool server',
  params: ofTool,
  response: { 200: Data(McpTool) }
}
export const approveTool = {
  tags,
  summary: 'Approve a tool as it is now, so that agents may be offered it',
  params: ofTool,
  body: Type.Union([
    Type.Null(),
    Type.Object({
      digest: Type.Optional(
        Type.String({ description: 'Of the definition that is meant: 409 if it has another' })
      )
    })
  ]),
  response: { 200: Data(McpTool) }
}
