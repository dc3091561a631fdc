import { useQuery } from '@tanstack/react-query'
import { WaitingRows } from 'agent-platform/console'
import { listKey, nameOf, readRuns, waitsFor } from './run-lists.ts'

const SHOWN = 10

/** Approvals, questions and results that runs wait for. */
export default function WaitingRuns({ onCount }: { onCount: (count: number) => void }) {
  const query = useQuery({
    queryKey: listKey({ status: 'waiting' }, SHOWN),
    queryFn: ({ signal }) => readRuns({ status: 'waiting' }, SHOWN, undefined, signal),
    refetchInterval: 10_000
  })
  const rows = query.data?.data.map((run) => ({
    id: run.id,
    to: `/agents/${run.agentId}/chat?session=${run.sessionId}`,
    title: waitsFor(run) || 'Waits',
    about: nameOf(run),
    since: run.createdAt,
    until: run.pending[0]?.deadline
  }))
  return (
    <WaitingRows
      rows={rows}
      error={query.error}
      retry={() => query.refetch()}
      more={query.data?.nextCursor ? '/runs?status=waiting' : undefined}
      onCount={onCount}
    />
  )
}
