import { Data, OrNull, Page, Paging, Time, Used } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Tool, ToolName } from './tools.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'Name or id of a tool of the agent' })
const args = Type.Optional(
  Type.Unknown({ description: 'As the parameters of the tool want them; left out: `{}`' })
)

const NewCall = Type.Object({ toolName: Name, args }, { title: 'ToolInvocation' })
const NewAgentCall = Type.Object(
  { agentId: Type.String({ examples: ['agent_01k4qz0000e0080000000000ab'] }), ...NewCall.properties },
  { title: 'ToolCallRequest' }
)
const Outcome = Type.Object(
  {
    callId: Type.String({ examples: ['call_01k4qz0000e0080000000000ab'] }),
    output: Type.Unknown({ description: 'Any JSON; of too much the beginning, as text' }),
    isError: Type.Boolean()
  },
  { title: 'ToolOutcome' }
)
const Grant = OrNull(
  Type.Object({
    reason: Type.String({ examples: ['ownership'] }),
    level: Type.String(),
    permissionId: OrNull(Type.String())
  })
)
const Call = Type.Object(
  {
    id: Type.String({ examples: ['call_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'The agent’s; or for whom a service made it' }),
    agentId: Type.String(),
    runId: OrNull(Type.String()),
    toolId: Type.String(),
    toolName: Type.String(),
    kind: Type.String(),
    actor: Type.Object({ id: Type.String(), type: Type.String() }, { description: 'On whose behalf' }),
    grants: Type.Object({ principal: Grant, agent: Grant }),
    keyIds: Type.Array(Type.String(), { description: 'Keys that were injected into it' }),
    approved: Type.Boolean({ description: 'It was approved' }),
    status: Type.Union(
      [Type.Literal('running'), Type.Literal('succeeded'), Type.Literal('failed'), Type.Literal('unknown')],
      { description: '`unknown`: what came of it was not seen' }
    ),
    size: OrNull(Type.Integer({ description: 'Characters of the output, of what is no text as JSON' })),
    milliseconds: OrNull(Type.Integer()),
    usage: Used,
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'ToolCall' }
)
const Offer = Type.Object(
  {
    id: Tool.properties.id,
    name: ToolName,
    description: Type.String(),
    parameters: Tool.properties.parameters,
    idempotent: Type.Boolean(),
    policy: Type.Union([Type.Literal('allow'), Type.Literal('ask')])
  },
  { title: 'OfferedTool' }
)

export type Call = Static<typeof Call>

const tags = ['tools']
const agent = Type.Object({ agentId: Type.String() })
const params = Type.Object({ callId: Type.String() })

export const callOfAgent = {
  tags,
  summary: 'Execute one tool call',
  description: 'A tool whose policy is `ask` is 403, code `approval_required`.',
  body: NewAgentCall,
  response: { 200: Data(Outcome) }
}
export const manifest = {
  tags,
  summary: 'Tool manifest for a runtime',
  description: 'All that the agent may call now.',
  params: agent,
  querystring: Type.Object({
    ...Paging,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 128, default: 128, description: 'Tools a page; no agent has more' })
    )
  }),
  response: { 200: Page(Offer) }
}
export const callOfRuntime = {
  tags,
  summary: 'Invoke a tool from a runtime',
  description: 'A tool whose policy is `ask` is 403, code `approval_required`.',
  params: agent,
  body: NewCall,
  response: { 200: Data(Outcome) }
}
export const listCalls = {
  tags,
  summary: 'List calls of tools',
  querystring: Type.Object({
    ...Paging,
    agentId: Type.Optional(Type.String()),
    runId: Type.Optional(Type.String()),
    toolId: Type.Optional(Type.String({ description: 'Also of a tool that is gone' }))
  }),
  response: { 200: Page(Call), 404: {} }
}
export const readCall = { tags, summary: 'Get the record of a call', params, response: { 200: Data(Call) } }
export const readOutput = {
  tags,
  summary: 'Read an output that was too long for its caller',
  params,
  querystring: Type.Object({
    offset: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: 'Characters before the first' })
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200_000, default: 50_000, description: 'Characters' })
    )
  }),
  response: {
    200: Data(
      Type.Object(
        {
          text: Type.String(),
          offset: Type.Integer(),
          total: Type.Integer({ description: 'Characters that were kept' })
        },
        { title: 'ToolOutput' }
      )
    )
  }
}
