import { Stack, Table, Text, Title } from '@mantine/core'
import { api, EmptyState, ListView, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Inbox } from 'lucide-react'

/** What other agents gave this one to do. */
export function PeerTasks({ agentId }: { agentId: string }) {
  const list = useList(
    ['a2a', agentId, 'tasks'],
    (cursor, signal) =>
      api.get('/v1/a2a/{agentId}/tasks', {
        params: { path: { agentId }, query: { limit: 20, cursor } },
        signal
      }),
    { refresh: 15_000 }
  )
  return (
    <Stack gap="md">
      <Title order={2} size="h5">
        Recent tasks
      </Title>
      <ListView
        list={list}
        empty={
          <EmptyState icon={Inbox} title="No tasks yet">
            What other agents give this one to do stands here.
          </EmptyState>
        }
      >
        {(tasks) => (
          <Table.ScrollContainer minWidth={500}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Task</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>Version</Table.Th>
                  <Table.Th>Given</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tasks.map(({ id, externalId, state, protocol, createdAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      <Text size="sm">{externalId ?? id}</Text>
                    </Table.Td>
                    <Table.Td>
                      <StatusBadge status={state} />
                    </Table.Td>
                    <Table.Td>{protocol}</Table.Td>
                    <Table.Td>
                      <TimeAgo at={createdAt} />
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
