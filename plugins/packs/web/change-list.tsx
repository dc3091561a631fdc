import { Anchor, Code, Skeleton, Stack, Table, Text } from '@mantine/core'
import {
  api,
  EmptyState,
  ListView,
  PageFrame,
  Panel,
  StatusBadge,
  TimeAgo,
  useList
} from 'agent-platform/console'
import { History } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import type { PackChange } from './queries.ts'
import { versionOf } from './queries.ts'

const LatencyChart = lazy(() => import('./latency-chart.tsx'))

/** What was done to any pack. */
export default function ChangeList() {
  return (
    <PageFrame
      title="Changes of packs"
      crumbs={[{ label: 'Packs', to: '/packs' }]}
      description="Each change, by whom, and what requests felt of it: milliseconds of the minute before, and of the time after."
    >
      <Changes />
    </PageFrame>
  )
}

export const ChangesOfPack = ({ name }: { name: string }) => <Changes pack={name} />

function Changes({ pack }: { pack?: string }) {
  const list = useList(['packs', 'changes', pack], (cursor, signal) =>
    api.get('/v1/packs/changes', { params: { query: { pack, limit: 25, cursor } }, signal })
  )
  return (
    <ListView
      list={list}
      empty={
        <EmptyState icon={History} title="No changes yet">
          What is enabled, configured, reloaded or removed is recorded here.
        </EmptyState>
      }
    >
      {(changes) => (
        <Stack gap="lg">
          {changes.some(isMeasured) && (
            <Panel
              title="Latency around changes"
              description="99th percentile of all requests, in milliseconds."
            >
              <Suspense fallback={<Skeleton height={200} />}>
                <LatencyChart changes={changes.filter(isMeasured)} />
              </Suspense>
            </Panel>
          )}
          <ChangeTable changes={changes} isOfAll={pack === undefined} />
        </Stack>
      )}
    </ListView>
  )
}

const oneLine = { whiteSpace: 'nowrap' } as const
const isMeasured = ({ before, after }: PackChange) => before?.p99 != null && after?.p99 != null

const ChangeTable = ({ changes, isOfAll }: { changes: readonly PackChange[]; isOfAll: boolean }) => (
  <Table.ScrollContainer minWidth={960}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          {isOfAll && <Table.Th>Pack</Table.Th>}
          <Table.Th>What</Table.Th>
          <Table.Th>Version</Table.Th>
          <Table.Th>Built in</Table.Th>
          <Table.Th>Latency p50, p99</Table.Th>
          <Table.Th>Requests that ended</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.id}>
            <Table.Td style={oneLine}>
              <TimeAgo at={change.at} />
              <Text size="xs" c="dimmed" maw={140} truncate title={change.actor}>
                {change.actor}
              </Text>
            </Table.Td>
            {isOfAll && (
              <Table.Td>
                <Anchor component={Link} href={`/packs/${change.pack}`} size="sm">
                  {change.pack}
                </Anchor>
              </Table.Td>
            )}
            <Table.Td maw={300}>
              <Text size="sm" span>
                {change.action}{' '}
              </Text>
              {change.outcome === 'refused' && <StatusBadge status="refused" />}
              {change.reason && (
                <Text size="xs" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                  {change.reason}
                </Text>
              )}
              {change.migrations.length > 0 && (
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {change.migrations.join(', ')}
                </Text>
              )}
            </Table.Td>
            <Table.Td style={oneLine}>
              <Versions {...change} />
            </Table.Td>
            <Table.Td style={oneLine}>{change.buildMs === null ? '–' : duration(change.buildMs)}</Table.Td>
            <Table.Td style={oneLine}>
              {latency(change.before)} → {latency(change.after)}
            </Table.Td>
            <Table.Td>
              {change.drained ?? '–'}
              {change.dropped ? `, ${change.dropped} cut off` : ''}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

function Versions({ fromDigest, toDigest }: Pick<PackChange, 'fromDigest' | 'toDigest'>) {
  if (fromDigest === toDigest) return fromDigest ? <Code>{versionOf(fromDigest)}</Code> : '–'
  return (
    <>
      <Code>{versionOf(fromDigest)}</Code> → <Code>{versionOf(toDigest)}</Code>
    </>
  )
}

const latency = (of: PackChange['before']) =>
  of?.p50 == null || of.p99 == null ? '–' : `${round(of.p50)}, ${round(of.p99)} ms`
const round = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))
const duration = (ms: number) => (ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`)
