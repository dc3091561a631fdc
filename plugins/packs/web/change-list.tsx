import { Anchor, Code, Skeleton, Stack } from '@mantine/core'
import {
  api,
  DataTable,
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

const isMeasured = ({ before, after }: PackChange) => before?.p99 != null && after?.p99 != null

const ChangeTable = ({ changes, isOfAll }: { changes: readonly PackChange[]; isOfAll: boolean }) => (
  <DataTable
    label="Changes"
    rows={changes}
    columns={[
      { header: 'When', cell: ({ at }) => <TimeAgo at={at} />, note: ({ actor }) => actor, maxWidth: 160 },
      isOfAll && {
        header: 'Pack',
        cell: ({ pack }) => (
          <Anchor component={Link} href={`/packs/${pack}`} size="sm">
            {pack}
          </Anchor>
        )
      },
      {
        header: 'What',
        maxWidth: 300,
        cell: ({ action, outcome }) => (
          <>
            {action} {outcome === 'refused' && <StatusBadge status="refused" />}
          </>
        ),
        note: ({ reason, migrations }) => [reason, migrations.join(', ')].filter(Boolean).join('; ')
      },
      { header: 'Version', cell: (change) => <Versions {...change} /> },
      { header: 'Built in', cell: ({ buildMs }) => (buildMs === null ? '–' : duration(buildMs)) },
      {
        header: 'Latency p50, p99',
        cell: ({ before, after }) => `${latency(before)} → ${latency(after)}`
      },
      {
        header: 'Requests that ended',
        cell: ({ drained, dropped }) => `${drained ?? '–'}${dropped ? `, ${dropped} cut off` : ''}`
      }
    ]}
  />
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
