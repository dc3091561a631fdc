import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Server = Schemas['McpServer']
export type ServerTool = Schemas['McpTool']

/** Milliseconds between looks: servers come and go by themselves. */
const REFRESH = 15_000

/** Queries of tool servers: by `['mcp']` all of them are read anew. */
export const serverQuery = (serverId: string) =>
  queryOptions({
    queryKey: ['mcp', serverId, 'server'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/mcp/servers/{serverId}', { params: { path: { serverId } }, signal })).data,
    refetchInterval: REFRESH
  })

export const statusQuery = (serverId: string) =>
  queryOptions({
    queryKey: ['mcp', serverId, 'status'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/mcp/servers/{serverId}/status', { params: { path: { serverId } }, signal })).data,
    refetchInterval: REFRESH
  })

export const keysQuery = queryOptions({
  queryKey: ['tool-keys', 'all'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/tool-keys', { params: { query: { limit: 100 } }, signal }))
})
