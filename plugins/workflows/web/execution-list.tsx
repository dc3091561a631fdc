import { Anchor, Select, Stack, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, StatusBadge, TimeAgo, useAddress, useList } from 'agent-platform/console'
import { History } from 'lucide-react'
import { Link } from 'wouter'
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
      <ListView
        list={list}
        empty={
          <EmptyState icon={History} title={status ? `None is ${status}` : 'It was not executed yet'}>
            {status ? undefined : 'Execute it here, by the API, a task, an agent or its webhook.'}
          </EmptyState>
        }
      >
        {(executions) => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="sm" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Execution</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Version</Table.Th>
                  <Table.Th>Begun</Table.Th>
                  <Table.Th>Ended</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {executions.map(({ id, status, workflowVersion, error, createdAt, endedAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={360}>
                      <Anchor component={Link} href={`/workflows/${workflowId}/executions/${id}`} size="sm">
                        {id}
                      </Anchor>
                      {error && (
                        <Text size="xs" c="dimmed" truncate>
                          {error.message}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      <StatusBadge status={status} />
                    </Table.Td>
                    <Table.Td>{workflowVersion}</Table.Td>
                    <Table.Td>
                      <TimeAgo at={createdAt} />
                    </Table.Td>
                    <Table.Td>
                      <TimeAgo at={endedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
    </Stack>
  )
}
