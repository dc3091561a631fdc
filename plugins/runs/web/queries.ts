import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { RunView } from './run-view.ts'
import { createRunView } from './run-view.ts'

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/runs/{runId}', { params: { path: { runId } }, signal })).data,
    // A run that has ended stays as it is.
    staleTime: ({ state }) => (state.data?.endedAt ? Number.POSITIVE_INFINITY : 2_000)
  })

/** What a run that has ended did, with the results of its calls, which no transcript has. */
export const recordQuery = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'record'],
    async queryFn({ signal }): Promise<RunView> {
      const run = createRunView(runId)
      for await (const event of api.runs.follow(runId, { signal })) run.add(event)
      return run.view()
    },
    staleTime: Number.POSITIVE_INFINITY
  })

/** The same query as that of the agents' pages. */
export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/agents/{agentId}', { params: { path: { agentId } }, signal })).data
  })

/** What a session is called; null where it has no title. */
export const titleQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['sessions', sessionId, 'title'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/sessions/{id}', { params: { path: { id: sessionId } }, signal })).data.title,
    staleTime: 60_000
  })

/** A page of what was said in a session, the newest first. */
export const readTranscript = (sessionId: string, limit: number, cursor?: string, signal?: AbortSignal) =>
  api.get('/v1/agents/sessions/{sessionId}/chat', {
    params: { path: { sessionId }, query: { limit, cursor } },
    signal
  })
