import type { McpServer } from './schemas/servers.ts'
import type { McpTool } from './schemas/tools.ts'

export type { McpServer, McpTool }

/** A server as facts tell of it: without its address, which may have a secret in it. */
export type ServerSummary = Pick<McpServer, 'id' | 'name' | 'transport' | 'status' | 'version'> & {
  readonly host: string | null
}

declare module 'agent-platform' {
  interface Facts {
    'mcp.server_registered': ServerSummary
    'mcp.server_updated': ServerSummary
    'mcp.server_deleted': { id: string; name: string; tools: number }
    'mcp.server_connected': { id: string; name: string }
    'mcp.server_disconnected': { id: string; name: string }
    /** What a server offers has changed. */
    'mcp.server_synced': { id: string; added: number; changed: number; gone: number }
    /** Its owner let the platform use the server. */
    'mcp.server_authorized': { id: string; name: string }
    'mcp.tool_approved': { id: string; serverId: string; name: string; digest: string }
  }
}
