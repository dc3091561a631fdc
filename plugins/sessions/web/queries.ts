import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

const path = (id: string) => ({ path: { id } })

/** Queries of sessions: by `['sessions']` all of them are read anew. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['sessions', id],
    queryFn: async ({ signal }) => (await api.get('/v1/sessions/{id}', { params: path(id), signal })).data
  })
