import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Heartbeat = Schemas['Heartbeat']
export type Beat = Schemas['Beat']

export const heartbeatQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['autonomy', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}/autonomy', { params: { path: { agentId } }, signal })).data,
    refetchInterval: 15_000
  })
