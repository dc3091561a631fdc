import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Tool = Schemas['Tool']
export type AccessibleTool = Schemas['AccessibleTool']
export type Assignment = Schemas['ToolAssignment']
export type ToolKey = Schemas['ToolKeyInUse']

/** Queries of tools: by `['tools']` all of them are read anew, by `['tool-keys']` those of keys. */
export const accessibleQuery = queryOptions({
  queryKey: ['tools', 'accessible'],
  queryFn: ({ signal }) =>
    Array.fromAsync(
      api.list('/v1/tool-permissions/accessible-tools', { params: { query: { limit: 100 } }, signal })
    )
})

export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: ['tools', 'one', name],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/tools/{name}', { params: { path: { name } }, signal })).data
  })

/** Whether an agent may call a tool for the caller, and else what is missing. */
export const accessQuery = (agentId: string, toolId: string) =>
  queryOptions({
    queryKey: ['tools', 'access', agentId, toolId],
    queryFn: async ({ signal }) => {
      const query = { agentId, toolId }
      return (await api.get('/v1/tool-permissions/check-agent-access', { params: { query }, signal })).data
    }
  })

export const agentsQuery = queryOptions({
  queryKey: ['agents', 'all'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/agents', { params: { query: { limit: 100 } }, signal }))
})

export const assignmentsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['tools', 'assigned', agentId],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        api.list('/v1/agents/{agentId}/tools', {
          params: { path: { agentId }, query: { limit: 100 } },
          signal
        })
      )
  })

export const keyQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['tool-keys', 'one', keyId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/tool-keys/{keyId}', { params: { path: { keyId } }, signal })).data
  })

export const keysQuery = queryOptions({
  queryKey: ['tool-keys', 'all'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/tool-keys', { params: { query: { limit: 100 } }, signal }))
})

export const policies = [
  { value: 'allow', label: 'Allow' },
  { value: 'ask', label: 'Ask a person each time' },
  { value: 'deny', label: 'Deny' }
]
