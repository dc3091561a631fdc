import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

/** Every branch of a conversation, at most 100 of them. */
export const branchesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['sessions', sessionId, 'branches'],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/sessions/{id}/branches', {
          params: { path: { id: sessionId }, query: { limit: 100 } },
          signal
        })
      ).data
  })
