import { useQuery } from '@tanstack/react-query'
import { api, DataTable, Panel, TimeAgo, useSession } from 'agent-platform/console'

/** Runs of its agent that wait for an answer, such as whether something may be paid. */
export function Approvals({ agentId }: { agentId: string }) {
  const hasRuns = useSession().packs.some(({ name }) => name === 'runs')
  const waiting = useQuery({
    queryKey: ['wallets', 'waiting', agentId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/runs', { params: { query: { agentId, status: 'waiting', limit: 20 } }, signal }))
        .data,
    enabled: hasRuns,
    refetchInterval: 10_000
  }).data
  if (!waiting?.length) return null
  return (
    <Panel title="Waiting for an answer" description="What is above its limits is asked about in the run.">
      <DataTable
        label="Runs that wait"
        rows={waiting}
        columns={[
          { header: 'Run', to: ({ id }) => `/runs/${id}`, cell: () => 'Look and answer' },
          { header: 'Started', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
        ]}
      />
    </Panel>
  )
}
