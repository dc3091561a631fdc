import { Badge, Select, Stack, Text } from '@mantine/core'
import { api, EmptyState, ListTable, TimeAgo, useAddress, useList } from 'agent-platform/console'
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
      <ListTable
        label="Lines"
        list={list}
        empty={
          <EmptyState icon={ScrollText} title="No lines">
            What the app writes, is refused and fails at is listed here.
          </EmptyState>
        }
        columns={[
          { header: 'When', cell: ({ at }) => <TimeAgo at={at} /> },
          {
            header: 'Level',
            cell: ({ level }) => (
              <Badge variant="dot" color={colors[level]} tt="none">
                {level}
              </Badge>
            )
          },
          {
            header: 'Line',
            cell: ({ text }) => (
              <Text size="sm" ff="monospace" style={{ whiteSpace: 'pre-wrap' }}>
                {text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}
              </Text>
            ),
            note: ({ kind, method, code }) => [kinds[kind], method, code].filter(Boolean).join(' · '),
            maxWidth: 520
          },
          {
            header: 'From',
            cell: (line) => line.function ?? line.source,
            note: ({ version }) => version
          }
        ]}
      />
    </Stack>
  )
}
