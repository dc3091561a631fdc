import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { api, CodeBlock, ListTable, StatusBadge, TimeAgo, useAddress, useList } from 'agent-platform/console'
import type { TaskRun } from 'agent-platform-client'
import { Link } from 'wouter'

/** What became of a task, each time that it ran; which one is open stands in the address. */
export function TaskRuns({ taskId, workflowId }: { taskId: string; workflowId: string | null }) {
  const { search, change } = useAddress()
  const open = search.get('run')
  const list = useList(['tasks', taskId, 'runs'], (cursor, signal) =>
    api.get('/v1/tasks/{id}/runs', {
      params: { path: { id: taskId }, query: { limit: 20, cursor } },
      signal
    })
  )
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        History
      </Title>
      <ListTable
        label="Runs of the task"
        list={list}
        empty="It has not run yet."
        below={(run) => open === run.id && <Result run={run} />}
        columns={[
          { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { header: 'Started', cell: ({ startedAt, createdAt }) => <TimeAgo at={startedAt ?? createdAt} /> },
          { header: 'Took', cell: tookOf },
          { header: 'By', cell: ({ trigger }) => (trigger === 'manual' ? 'Hand' : 'Schedule') },
          { header: 'Attempt', cell: ({ attempt }) => attempt },
          {
            header: 'Result',
            cell: (run) => (
              <Group gap="sm" wrap="nowrap">
                <RunLink run={run} workflowId={workflowId} />
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-expanded={open === run.id}
                  onClick={() => change({ run: open === run.id ? null : run.id })}
                >
                  {open === run.id ? 'Hide the result' : 'Result'}
                </Button>
              </Group>
            )
          }
        ]}
      />
    </Stack>
  )
}

function RunLink({ run, workflowId }: { run: TaskRun; workflowId: string | null }) {
  const to = run.runId
    ? `/runs/${run.runId}`
    : run.executionId && workflowId && `/workflows/${workflowId}/executions/${run.executionId}`
  if (!to) return null
  return (
    <Anchor component={Link} href={to} size="sm" style={{ whiteSpace: 'nowrap' }}>
      {run.runId ? 'Open the run' : 'Open the execution'}
    </Anchor>
  )
}

function Result({ run }: { run: TaskRun }) {
  const { error, output } = run
  if (error)
    return (
      <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
        {error.message} ({error.code})
      </Text>
    )
  if (output === null || output === undefined)
    return (
      <Text size="sm" c="dimmed">
        There is no result{run.endedAt ? '' : ' yet'}.
      </Text>
    )
  const said = (output as { content?: unknown }).content
  return <CodeBlock label="Result" value={typeof said === 'string' ? said : output} />
}

function tookOf({ startedAt, endedAt }: TaskRun): string {
  if (!startedAt || !endedAt) return '–'
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
