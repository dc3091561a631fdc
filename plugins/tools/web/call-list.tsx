import { Anchor, Stack, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, PageFrame, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { List } from 'lucide-react'
import { Link } from 'wouter'

/** Records of calls of the caller's agents. */
export default function CallList() {
  return (
    <PageFrame
      title="Calls of tools"
      crumbs={[{ label: 'Tools', to: '/tools' }]}
      description="Who called what, how long it took and how big the output was. Arguments and outputs are not kept here."
    >
      <Calls />
    </PageFrame>
  )
}

export function Calls({ agentId }: { agentId?: string }) {
  const list = useList(['tools', 'calls', agentId], (cursor, signal) =>
    api.get('/v1/tools/calls', { params: { query: { agentId, limit: 25, cursor } }, signal })
  )
  return (
    <ListView
      list={list}
      empty={
        <EmptyState icon={List} title="No calls yet">
          Each call of a tool is recorded.
        </EmptyState>
      }
    >
      {(calls) => (
        <Table.ScrollContainer minWidth={720}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Tool</Table.Th>
                <Table.Th>Outcome</Table.Th>
                <Table.Th>When</Table.Th>
                <Table.Th>For</Table.Th>
                <Table.Th ta="right">Took</Table.Th>
                <Table.Th ta="right">Output</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {calls.map(
                ({ id, toolId, toolName, status, createdAt, actor, runId, approved, milliseconds, size }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={280}>
                      <Anchor
                        component={Link}
                        href={`/tools/${toolId}`}
                        size="sm"
                        style={{ overflowWrap: 'anywhere' }}
                      >
                        {toolName}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <Stack gap={2} align="flex-start">
                        <StatusBadge status={status} />
                        {approved && (
                          <Text size="xs" c="dimmed">
                            approved
                          </Text>
                        )}
                      </Stack>
                    </Table.Td>
                    <Table.Td>
                      <TimeAgo at={createdAt} />
                    </Table.Td>
                    <Table.Td maw={200}>
                      <Text size="sm" truncate title={actor.id}>
                        {actor.id}
                      </Text>
                      {runId && (
                        <Anchor component={Link} href={`/runs/${runId}`} size="xs">
                          Run
                        </Anchor>
                      )}
                    </Table.Td>
                    <Table.Td ta="right">
                      {milliseconds === null ? '–' : `${milliseconds.toLocaleString('en')} ms`}
                    </Table.Td>
                    <Table.Td ta="right">
                      {size === null ? '–' : `${size.toLocaleString('en')} chars`}
                    </Table.Td>
                  </Table.Tr>
                )
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </ListView>
  )
}
