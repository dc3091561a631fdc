import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

const path = (agentId: string) => ({ path: { agentId } })

/** Queries of agents: by `['agents']` all of them are read anew. */
export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}', { params: path(agentId), signal })).data
  })

export const knowledgebaseQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId, 'knowledgebase'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}/knowledgebase', { params: path(agentId), signal })).data
  })

/** Models that can speak, of providers that are configured. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  async queryFn({ signal }) {
    const models = await Array.fromAsync(
      api.list('/v1/models', { params: { query: { limit: 100 } }, signal })
    )
    return models.filter(({ configured, modalities }) => configured && modalities.includes('language'))
  }
})
