import { useQuery } from '@tanstack/react-query'
import { WaitingRows } from 'agent-platform/console'
import { askedBy, readWaiting } from './queries.ts'

const SHOWN = 10

/** Approvals and events that executions wait for. */
export default function WaitingHome({ onCount }: { onCount: (count: number) => void }) {
  const query = useQuery({
    queryKey: ['workflows', 'waiting', SHOWN],
    queryFn: ({ signal }) => readWaiting(SHOWN, undefined, signal),
    refetchInterval: 10_000
  })
  const rows = query.data?.data.map((step) => ({
    id: step.id,
    // An execution is its owner's; who is listed finds the step alone.
    to:
      step.workflowName === null
        ? `/workflows/waiting#${step.id}`
        : `/workflows/${step.workflowId}/executions/${step.executionId}`,
    title: askedBy(step),
    about: step.workflowName ?? `Asked by ${step.owner}`,
    since: step.startedAt,
    until: step.deadline
  }))
  return (
    <WaitingRows
      rows={rows}
      error={query.error}
      retry={() => query.refetch()}
      more={query.data?.nextCursor ? '/workflows/waiting' : undefined}
      onCount={onCount}
    />
  )
}
