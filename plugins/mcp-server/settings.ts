import type { Static } from 'typebox'
import { Type } from 'typebox'

export const McpServerSettings = Type.Object({
  origins: Type.String({
    env: 'MCP_SERVER_ORIGINS',
    maxLength: 10_000,
    default: '',
    description:
      'Origins of pages that may call, comma-separated, beside the platform itself and, outside production, loopback'
  }),
  callsPerOwner: Type.Integer({
    env: 'MCP_SERVER_CALLS_PER_OWNER',
    minimum: 1,
    default: 128,
    description: 'Calls of tools that an owner may have under way on one instance: 429 beyond'
  })
})
export type McpServerSettings = Static<typeof McpServerSettings>
