import { Button, Group, SegmentedControl, Select } from '@mantine/core'
import {
  AgentSelect,
  api,
  EmptyState,
  ListView,
  PageFrame,
  useAddress,
  useList,
  useListSearch
} from 'agent-platform/console'
import { CalendarClock, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { NewTask } from './new-task.tsx'
import type { TaskFilter } from './queries.ts'
import { statuses } from './queries.ts'
import { TaskCalendar } from './task-calendar.tsx'
import { TaskTable } from './task-table.tsx'

export default function TaskList() {
  const { search, change } = useAddress()
  const [, navigate] = useLocation()
  const status = statuses.find((it) => it === search.get('status'))
  const agentId = search.get('agentId') ?? undefined
  const isCalendar = search.get('view') === 'calendar'
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: 'yes' })}>
      New task
    </Button>
  )
  return (
    <PageFrame
      title="Tasks"
      description="What agents and workflows do once, on a schedule, or on demand."
      actions={create}
    >
      <Group mb="md" gap="sm" align="flex-end">
        <AgentSelect
          placeholder="All agents"
          value={agentId ?? null}
          onChange={(agentId) => change({ agentId })}
          clearable
          w={{ base: '100%', xs: 220 }}
        />
        <Select
          label="Status"
          placeholder="All statuses"
          data={statuses.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))}
          value={status ?? null}
          onChange={(status) => change({ status })}
          clearable
          w={{ base: '100%', xs: 180 }}
        />
        <SegmentedControl
          aria-label="View"
          ml={{ sm: 'auto' }}
          data={[
            { value: 'list', label: 'List' },
            { value: 'calendar', label: 'Calendar' }
          ]}
          value={isCalendar ? 'calendar' : 'list'}
          onChange={(view) => change({ view: view === 'list' ? null : view })}
        />
      </Group>
      {isCalendar ? (
        <TaskCalendar filter={{ agentId, status }} />
      ) : (
        <Rows filter={{ agentId, status }} create={create} />
      )}
      <NewTask
        isOpen={search.get('new') !== null}
        agentId={agentId ?? null}
        onClose={() => change({ new: null })}
        onCreated={(id) => navigate(`/tasks/${id}`)}
      />
    </PageFrame>
  )
}

function Rows({ filter, create }: { filter: TaskFilter; create: ReactNode }) {
  const { agentId, status } = filter
  const find = useListSearch('tasks')
  const list = useList(
    ['tasks', 'list', agentId, status],
    (cursor, signal) =>
      api.get('/v1/tasks', {
        params: { query: { limit: 50, cursor, agentId, status, query: find.query } },
        signal
      }),
    { refresh: 10_000, search: find }
  )
  const isNarrowed = agentId !== undefined || status !== undefined
  return (
    <ListView
      list={list}
      search={find}
      empty={
        <EmptyState
          icon={CalendarClock}
          title={isNarrowed ? 'No such tasks' : 'No tasks yet'}
          action={isNarrowed ? undefined : create}
        >
          {isNarrowed
            ? 'No task has this agent and this status.'
            : 'A task is what an agent or a workflow is to do: now, at a time, or again and again.'}
        </EmptyState>
      }
    >
      {(tasks) => <TaskTable tasks={tasks} />}
    </ListView>
  )
}
