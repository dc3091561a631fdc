import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, baseUrl } from 'agent-platform/console'
import { useEffect } from 'react'

export const KEY = ['evaluations'] as const

export const datasetQuery = (datasetId: string) =>
  queryOptions({
    queryKey: [...KEY, 'dataset', datasetId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/evaluations/datasets/{datasetId}', { params: { path: { datasetId } }, signal }))
        .data
  })

export const experimentQuery = (experimentId: string) =>
  queryOptions({
    queryKey: [...KEY, 'experiment', experimentId],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/evaluations/experiments/{experimentId}', {
          params: { path: { experimentId } },
          signal
        })
      ).data
  })

/** While it is under way, what is shown of an experiment is read anew with each of its events. */
export function useLive(experimentId: string, isRunning: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isRunning) return
    const stream = new EventSource(`${baseUrl}/v1/evaluations/experiments/${experimentId}/stream`)
    stream.addEventListener('message', () => {
      void queries.invalidateQueries({ queryKey: [...KEY, 'experiment', experimentId] })
    })
    return () => stream.close()
  }, [experimentId, isRunning, queries])
}

export type Thumb = 'up' | 'down'

/** What the caller has said lately, by run: one request for all answers of a conversation. */
export const recentFeedbackQuery = {
  queryKey: [...KEY, 'feedback', 'recent'],
  async queryFn({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, Thumb>> {
    const { data } = await api.get('/v1/evaluations/feedback', { params: { query: { limit: 100 } }, signal })
    return new Map(data.map(({ runId, thumb }) => [runId, thumb]))
  }
}
