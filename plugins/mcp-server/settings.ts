import type { Static } from 'typebox'
import { Type } from 'typebox'

export const McpServerSettings = Type.Object({
  origins: Type.String({
    env: 'MCP_SERVER_ORIGINS',
    maxLength: 10_000,
    default: '',
    description:
      'Origins of pages that may call, comma-separated, beside the platform itself and, outside production, loopback'
  })
})
export type McpServerSettings = Static<typeof McpServerSettings>
