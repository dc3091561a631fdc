import { Anchor, Button, Group, Stack, Title } from '@mantine/core'
import { api, EmptyState, ListView, useList } from 'agent-platform/console'
import { CalendarClock, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { TaskTable } from './task-table.tsx'

/** The tasks of an agent. */
export default function AgentSchedule({ agentId }: { agentId: string }) {
  const list = useList(
    ['tasks', 'list', agentId, undefined],
    (cursor, signal) => api.get('/v1/tasks', { params: { query: { limit: 50, cursor, agentId } }, signal }),
    { refresh: 10_000 }
  )
  const create = (
    <Button
      component={Link}
      href={`/tasks?new&agentId=${agentId}`}
      size="sm"
      leftSection={<Plus size={16} aria-hidden />}
    >
      New task
    </Button>
  )
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Tasks
        </Title>
        <Group gap="md">
          <Anchor component={Link} href={`/tasks?view=calendar&agentId=${agentId}`} size="sm">
            Calendar
          </Anchor>
          {create}
        </Group>
      </Group>
      <ListView
        list={list}
        empty={
          <EmptyState icon={CalendarClock} title="This agent has no tasks" action={create}>
            Let it do something at a time, again and again, or on demand.
          </EmptyState>
        }
      >
        {(tasks) => <TaskTable tasks={tasks} isOfOneAgent />}
      </ListView>
    </Stack>
  )
}
