import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Project = Schemas['Project']

/** The person that has signed in. */
export const ownPersonQuery = queryOptions({
  queryKey: ['own-person'],
  queryFn: async ({ signal }) => (await api.get('/v1/people/me', { signal })).data,
  retry: false
})

/** By `['projects']` all of them are read anew, with their members and keys. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/projects/{projectId}', { params: { path: { projectId } }, signal })).data
  })
