import { queryOptions } from '@tanstack/react-query'
import { api, baseUrl } from 'agent-platform/console'
import type { paths, Schemas } from 'agent-platform-client'

export type Pack = Schemas['Pack']
export type PackChange = Schemas['PackChange']
type Readiness = paths['/health/ready']['get']['responses'][200]['content']['application/json']['data']

/** Milliseconds between looks: other operators and instances change packs, too. */
const REFRESH = 10_000

/** Queries of packs: by `['packs']` all of them are read anew. */
export const packsQuery = queryOptions({
  queryKey: ['packs', 'list'],
  queryFn: async ({ signal }) => (await api.get('/v1/packs', { signal })).data,
  refetchInterval: REFRESH
})

export const packQuery = (name: string) =>
  queryOptions({
    queryKey: ['packs', 'one', name],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/packs/{name}', { params: { path: { name } }, signal })).data,
    refetchInterval: REFRESH
  })

/** Whether the platform takes requests; a 503 says why not. */
export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  async queryFn({ signal }): Promise<Readiness> {
    const reply = await fetch(`${baseUrl}/health/ready`, { signal })
    return (await reply.json()).data
  },
  refetchInterval: REFRESH
})

/** As people compare versions: the beginning of the digest. */
export const versionOf = (digest: string | null): string => digest?.slice(0, 8) ?? '–'
