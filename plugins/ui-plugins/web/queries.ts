import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type App = Schemas['App']

/** How an app stands, in one word. */
export const standingOf = ({ status, health }: App): string =>
  status === 'enabled' && health.state === 'quarantined' ? 'quarantined' : status

/** Queries of apps: by `['apps']` all of them are read anew. */
export const appQuery = (pluginId: string) =>
  queryOptions({
    queryKey: ['apps', pluginId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/ui-plugins/{pluginId}', { params: { path: { pluginId } }, signal })).data
  })

/** What apps may use of the platform, by name. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['apps', 'of the catalogue'],
  async queryFn({ signal }) {
    const query = { limit: 100 }
    const all = await Array.fromAsync(api.list('/v1/ui-plugins/capabilities', { params: { query }, signal }))
    return new Map(all.map((it) => [it.name, it]))
  },
  staleTime: 60_000
})

/** What a version asks for that is granted one by one. */
export interface Asked {
  readonly capabilities: readonly { readonly name: string; readonly reason: string }[]
  readonly egress: readonly { readonly host: string; readonly reason: string }[]
}

export const askedQuery = (pluginId: string, version: string) =>
  queryOptions({
    queryKey: ['apps', pluginId, 'asked', version],
    async queryFn({ signal }): Promise<Asked> {
      const params = { path: { pluginId }, query: { limit: 100 } }
      for await (const it of api.list('/v1/ui-plugins/{pluginId}/versions', { params, signal }))
        if (it.version === version) return it.manifest as unknown as Asked
      throw new Error(`Version ${version} is no longer kept`)
    }
  })

export const layoutQuery = queryOptions({
  queryKey: ['apps', 'of the layout'],
  queryFn: async ({ signal }) =>
    (await api.get('/v1/ui-plugins/layout', { params: { query: { scope: 'all' } }, signal })).data
})
