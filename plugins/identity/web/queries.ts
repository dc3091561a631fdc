import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'

/** The person that has signed in. */
export const ownPersonQuery = queryOptions({
  queryKey: ['own-person'],
  queryFn: async ({ signal }) => (await api.get('/v1/people/me', { signal })).data,
  retry: false
})
