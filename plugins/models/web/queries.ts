import { queryOptions } from '@tanstack/react-query'
import type { useSession } from 'agent-platform/console'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Provider = Schemas['ModelProvider']
export type Model = Schemas['Model']
export type Server = Schemas['ModelServer']

/** Queries of models: by `['models']` all of them are read anew, those of other pages too. */
/** Who may set up what counts for the whole project. */
export const mayConfigure = (principal: ReturnType<typeof useSession>['principal']): boolean =>
  principal?.type === 'service' || principal?.scopes.includes('platform:admin') === true

export const providersQuery = queryOptions({
  queryKey: ['models', 'providers'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/models/providers', { params: { query: { limit: 100 } }, signal }))
})

export const serversQuery = queryOptions({
  queryKey: ['models', 'servers'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/models/servers', { params: { query: { limit: 100 } }, signal }))
})

export const fallbacksQuery = queryOptions({
  queryKey: ['models', 'fallbacks'],
  queryFn: async ({ signal }) => (await api.get('/v1/models/fallbacks', { signal })).data
})

export const providerQuery = (provider: string) =>
  queryOptions({
    queryKey: ['models', 'providers', provider],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/models/providers/{provider}', { params: { path: { provider } }, signal })).data
  })

export const allModelsQuery = queryOptions({
  queryKey: ['models', 'all'],
  queryFn: ({ signal }) =>
    Array.fromAsync(api.list('/v1/models', { params: { query: { limit: 100 } }, signal }))
})

export const embeddingQuery = queryOptions({
  queryKey: ['models', 'embedding'],
  queryFn: async ({ signal }) => (await api.get('/v1/models/embedding', { signal })).data
})
