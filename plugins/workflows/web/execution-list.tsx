import { Select, Stack } from '@mantine/core'
import { api, EmptyState, ListTable, StatusBadge, TimeAgo, useAddress, useList } from 'agent-platform/console'
import { History } from 'lucide-react'
import type { ExecutionStatus } from './queries.ts'

const statuses: readonly ExecutionStatus[] = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled'
]

export function ExecutionList({ workflowId }: { workflowId: string }) {
  const { search, change } = useAddress()
  const status = statuses.find((it) => it === search.get('status'))
  const list = useList(
    ['workflows', workflowId, 'executions', 'list', status],
    (cursor, signal) =>
      api.get('/v1/workflows/{id}/executions', {
        params: { path: { id: workflowId }, query: { limit: 50, cursor, status } },
        signal
      }),
    { refresh: 5_000 }
  )
  return (
    <Stack gap="md">
      <Select
        label="Status"
        placeholder="All statuses"
        data={statuses.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))}
        value={status ?? null}
        onChange={(status) => change({ status })}
        clearable
        w={{ base: '100%', xs: 200 }}
      />
      <ListTable
        label="Executions"
        list={list}
        empty={
          <EmptyState icon={History} title={status ? `None is ${status}` : 'It was not executed yet'}>
            {status ? undefined : 'Execute it here, by the API, a task, an agent or its webhook.'}
          </EmptyState>
        }
        columns={[
          {
            header: 'Execution',
            to: ({ id }) => `/workflows/${workflowId}/executions/${id}`,
            cell: ({ id }) => id,
            note: ({ error }) => error?.message
          },
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { header: 'Version', cell: ({ workflowVersion }) => workflowVersion, isNumber: true },
          { header: 'Started', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          { header: 'Ended', cell: ({ endedAt }) => <TimeAgo at={endedAt} /> }
        ]}
      />
    </Stack>
  )
}
