import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Publication = Schemas['AgentPublication']
export type RemoteAgent = Schemas['RemoteAgent']
export type Peer = Schemas['PreferredConnection']

/** Null while the agent is not published. */
export const publicationQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['a2a', agentId, 'publication'],
    queryFn: async ({ signal }): Promise<Publication | null> => {
      const all = api.list('/v1/a2a/publications', { params: { query: { limit: 100 } }, signal })
      for await (const publication of all) if (publication.agentId === agentId) return publication
      return null
    }
  })

/** What the agent has that its card may show. */
export const toolsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['a2a', agentId, 'tools'],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        api.list('/v1/agents/{agentId}/tools', {
          params: { path: { agentId }, query: { limit: 100 } },
          signal
        })
      )
  })

export const peersQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['a2a', agentId, 'peers'],
    queryFn: ({ signal }) =>
      Array.fromAsync(
        api.list('/v1/agents/{agentId}/preferred-connections', {
          params: { path: { agentId }, query: { limit: 100 } },
          signal
        })
      )
  })

export const remotesQuery = queryOptions({
  queryKey: ['a2a', 'remotes', 'all'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/a2a/remotes', { params: { query: { limit: 100 } }, signal }))
})
