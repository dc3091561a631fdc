import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type Report = Schemas['ProvenanceReport']
export type Use = Schemas['ProvenanceUse']

/** Runs of a session that are shown together. */
const RUNS = 20
/** For what is about to be recorded. */
const LOOKS = 10

/** The report of a run or a session: of the latter its newest runs. */
export const reportQuery = (type: 'run' | 'session', id: string) =>
  queryOptions({
    queryKey: ['provenance', type, id],
    queryFn: async ({ signal }) =>
      (
        await api.get('/v1/provenance/scopes/{scopeType}/{scopeId}', {
          params: { path: { scopeType: type, scopeId: id }, query: { limit: RUNS } },
          signal
        })
      ).data,
    // It is written down soon after the run has ended, if at all.
    refetchInterval: ({ state }) =>
      state.data?.runs.length === 0 && state.dataUpdateCount < LOOKS ? 2_000 : false
  })

/** Saves the signed bundle as a file. */
export async function saveBundle(traceId: string): Promise<void> {
  const bundle = await api.get('/v1/provenance/traces/{traceId}/bundle', { params: { path: { traceId } } })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(bundle)], { type: 'application/json' }))
  link.download = `${traceId}.provenance.json`
  link.click()
  URL.revokeObjectURL(link.href)
}
