import { Badge, Select, Stack, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, TimeAgo, useAddress, useList } from 'agent-platform/console'
import { ScrollText } from 'lucide-react'
import type { App } from './queries.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const
const colors = { debug: 'gray', info: 'blue', warn: 'orange', error: 'red' } as const
const kinds = { console: 'written by the app', refusal: 'refused', fault: 'went wrong' } as const
/** Of a line of any length. */
const SHOWN = 2_000

/** What the app wrote, was refused and failed at. */
export function AppLogs({ app: { pluginId } }: { app: App }) {
  const { search, change } = useAddress()
  const level = levels.find((it) => it === search.get('level'))
  const list = useList(
    ['apps', pluginId, 'logs', level],
    (cursor, signal) =>
      api.get('/v1/ui-plugins/{pluginId}/logs', {
        params: { path: { pluginId }, query: { level, limit: 50, cursor } },
        signal
      }),
    { refresh: 10_000 }
  )
  return (
    <Stack>
      <Select
        label="Level"
        placeholder="All"
        data={levels.map((value) => ({ value, label: value === 'error' ? value : `${value} and worse` }))}
        value={level ?? null}
        onChange={(level) => change({ level })}
        clearable
        clearButtonProps={{ 'aria-label': 'All levels' }}
        maw={220}
      />
      <ListView
        list={list}
        empty={
          <EmptyState icon={ScrollText} title="No lines">
            What the app writes, is refused and fails at is listed here.
          </EmptyState>
        }
      >
        {(lines) => (
          <Table.ScrollContainer minWidth={640}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>When</Table.Th>
                  <Table.Th>Level</Table.Th>
                  <Table.Th>Line</Table.Th>
                  <Table.Th>From</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {lines.map(({ id, at, level, kind, text, code, method, source, version, ...line }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <TimeAgo at={at} />
                    </Table.Td>
                    <Table.Td>
                      <Badge variant="dot" color={colors[level]} tt="none">
                        {level}
                      </Badge>
                    </Table.Td>
                    <Table.Td maw={520} style={{ overflowWrap: 'anywhere' }}>
                      <Text size="sm" ff="monospace" style={{ whiteSpace: 'pre-wrap' }}>
                        {text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}
                      </Text>
                      <Text size="xs" c="dimmed">
                        {[kinds[kind], method, code].filter(Boolean).join(' · ')}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      {line.function ?? source}
                      <Text size="xs" c="dimmed">
                        {version}
                      </Text>
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
