import { Anchor, Stack, Table, Text, Title } from '@mantine/core'
import { api, ListView, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Link } from 'wouter'
import type { Beat } from './queries.ts'

const triggers: Readonly<Record<Beat['trigger'], string>> = {
  schedule: 'Heartbeat',
  manual: 'Hand',
  external: 'Outside'
}

/** What came of beats, and of what triggered the agent from outside. */
export function BeatList({ agentId }: { agentId: string }) {
  const list = useList(
    ['autonomy', agentId, 'beats'],
    (cursor, signal) =>
      api.get('/v1/agents/{agentId}/autonomy/beats', {
        params: { path: { agentId }, query: { limit: 20, cursor } },
        signal
      }),
    { refresh: 10_000 }
  )
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        Beats
      </Title>
      <ListView
        list={list}
        empty={
          <Text size="sm" c="dimmed">
            There was no beat yet.
          </Text>
        }
      >
        {(beats) => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>When</Table.Th>
                  <Table.Th>By</Table.Th>
                  <Table.Th>Tokens</Table.Th>
                  <Table.Th>What came of it</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {beats.map((beat) => (
                  <Table.Tr key={beat.id}>
                    <Table.Td>
                      <StatusBadge status={beat.status} />
                    </Table.Td>
                    <Table.Td>
                      <TimeAgo at={beat.createdAt} />
                    </Table.Td>
                    <Table.Td>{triggers[beat.trigger]}</Table.Td>
                    <Table.Td>{beat.tokens ?? '–'}</Table.Td>
                    <Table.Td maw={360}>
                      <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                        {wordsOf(beat)}
                      </Text>
                      {beat.runId && (
                        <Anchor component={Link} href={`/runs/${beat.runId}`} size="sm">
                          Open the run
                        </Anchor>
                      )}
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

function wordsOf({ reason, error, silent }: Beat): string {
  if (reason) return `Skipped: ${reason.replaceAll('_', ' ')}`
  if (error) return error.message
  return silent ? 'Nothing was to be done' : ''
}
