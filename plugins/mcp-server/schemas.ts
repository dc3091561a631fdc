import { Type } from 'typebox'

const tags = ['mcp-server']
const querystring = Type.Object({
  agentId: Type.Optional(
    Type.String({
      examples: ['agent_01k4qz0000e0080000000000ab'],
      description: 'The agent whose tools are served, beside the agents themselves'
    })
  )
})
const reply = Type.Unknown({ description: 'A JSON-RPC 2.0 reply of the Model Context Protocol' })
const refused = { description: 'A JSON-RPC 2.0 error', content: { 'application/json': { schema: reply } } }

export const callServer = {
  tags,
  summary: 'The platform as a tool server (Model Context Protocol, streamable HTTP)',
  description:
    'JSON-RPC 2.0: the session protocol up to 2025-11-25, and 2026-07-28 without sessions. Batches are refused.',
  querystring,
  body: Type.Unknown({
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    description: 'A JSON-RPC 2.0 message of the Model Context Protocol'
  }),
  response: {
    200: {
      description: 'The reply, by itself or at the end of a stream of notifications',
      content: {
        'application/json': { schema: reply },
        'text/event-stream': {
          schema: Type.String({ description: 'Server-Sent Events, each a JSON-RPC message' })
        }
      }
    },
    202: { description: 'A notification was taken', content: {} },
    404: { ...refused, description: 'The agent of the query is not known' },
    '4xx': refused
  }
} as const
export const openStream = {
  tags,
  summary: 'The stream of a tool server: there is none, 405',
  querystring,
  response: { 405: refused, default: refused }
} as const
export const endSession = {
  tags,
  summary: 'The end of a session with a tool server: none is kept, 405',
  querystring,
  response: { 405: refused, default: refused }
} as const
