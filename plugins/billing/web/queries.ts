import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

/** All queries of billing: by `['billing']` all of them are read anew. */
export const ALL = ['billing'] as const

/** Milliseconds between looks: what is paid elsewhere follows by itself. */
export const REFRESH = 15_000

export const catalogueQuery = queryOptions({
  queryKey: ['billing', 'catalog'],
  queryFn: async ({ signal }) => (await api.get('/v1/billing/catalog', { signal })).data,
  staleTime: 60_000
})

export const subscriptionQuery = queryOptions({
  queryKey: ['billing', 'subscription'],
  queryFn: async ({ signal }) => (await api.get('/v1/billing/subscription', { signal })).data,
  refetchInterval: REFRESH
})

export const entitlementsQuery = queryOptions({
  queryKey: ['billing', 'entitlements'],
  queryFn: async ({ signal }) => (await api.get('/v1/billing/entitlements', { signal })).data,
  refetchInterval: REFRESH
})
