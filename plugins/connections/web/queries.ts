import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Connection = Schemas['OAuthConnection']
export type Provider = Schemas['OAuthProvider']

/** Milliseconds between looks: tokens are renewed, and end, by themselves. */
export const REFRESH = 15_000

/** Queries of connections: by `['connections']` all of them are read anew. */
export const connectionQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connections', connectionId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/oauth/connections/{connectionId}', { params: { path: { connectionId } }, signal }))
        .data,
    refetchInterval: REFRESH
  })

export const providersQuery = queryOptions({
  queryKey: ['oauth-providers'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/oauth/providers', { params: { query: { limit: 100 } }, signal })),
  staleTime: 60_000
})
