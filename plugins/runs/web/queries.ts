import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Run } from 'agent-platform-client'
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

/** A page of what was said in a session, the newest first. */
export const readTranscript = (sessionId: string, limit: number, cursor?: string, signal?: AbortSignal) =>
  api.get('/v1/agents/sessions/{sessionId}/chat', {
    params: { path: { sessionId }, query: { limit, cursor } },
    signal
  })

/** So many sessions of the caller are looked at: each of them costs two requests. */
const SESSIONS = 6

export interface RecentRun {
  readonly run: Run
  readonly title: string | null
}

/** The last run of each of the newest sessions that the caller began, as there is no list of runs. */
export const recentQuery = (initiator: string) =>
  queryOptions({
    queryKey: ['runs', 'recent', initiator],
    async queryFn({ signal }): Promise<readonly RecentRun[]> {
      const params = { path: { initiator }, query: { limit: SESSIONS } }
      const { data } = await api.get('/v1/sessions/user/{initiator}', { params, signal })
      const runs = await Promise.all(
        data.map(async ({ id, title }) => {
          const said = await readTranscript(id, 1, undefined, signal)
          const runId = said.data[0]?.runId
          if (!runId) return []
          const path = { runId }
          return [
            { title, run: (await api.get('/v1/agents/runs/{runId}', { params: { path }, signal })).data }
          ]
        })
      )
      return runs.flat().toSorted((a, b) => b.run.createdAt.localeCompare(a.run.createdAt))
    },
    refetchInterval: 60_000,
    staleTime: 15_000
  })
