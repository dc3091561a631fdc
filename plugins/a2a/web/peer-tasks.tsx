import { Stack, Title } from '@mantine/core'
import { api, EmptyState, ListTable, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
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
      <ListTable
        label="Recent tasks"
        list={list}
        empty={
          <EmptyState icon={Inbox} title="No tasks yet">
            What other agents give this one to do stands here.
          </EmptyState>
        }
        columns={[
          { header: 'Task', cell: ({ id, externalId }) => externalId ?? id, maxWidth: 360 },
          { header: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
          { header: 'Version', cell: ({ protocol }) => protocol },
          { header: 'Given', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
        ]}
      />
    </Stack>
  )
}
