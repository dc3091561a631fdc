import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { api, CodeBlock, ListView, StatusBadge, TimeAgo, useAddress, useList } from 'agent-platform/console'
import type { TaskRun } from 'agent-platform-client'
import { Fragment } from 'react'
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
      <ListView
        list={list}
        empty={
          <Text size="sm" c="dimmed">
            It has not run yet.
          </Text>
        }
      >
        {(runs) => (
          <Table.ScrollContainer minWidth={640}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Begun</Table.Th>
                  <Table.Th>Took</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>Attempt</Table.Th>
                  <Table.Th>
                    <Text span size="sm" fw="inherit">
                      Result
                    </Text>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {runs.map((run) => (
                  <Fragment key={run.id}>
                    <Table.Tr>
                      <Table.Td>
                        <StatusBadge status={run.status} />
                      </Table.Td>
                      <Table.Td>
                        <TimeAgo at={run.startedAt ?? run.createdAt} />
                      </Table.Td>
                      <Table.Td>{tookOf(run)}</Table.Td>
                      <Table.Td>{run.trigger === 'manual' ? 'Hand' : 'Schedule'}</Table.Td>
                      <Table.Td>{run.attempt}</Table.Td>
                      <Table.Td>
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
                      </Table.Td>
                    </Table.Tr>
                    {open === run.id && (
                      <Table.Tr>
                        <Table.Td colSpan={6}>
                          <Result run={run} />
                        </Table.Td>
                      </Table.Tr>
                    )}
                  </Fragment>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
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
