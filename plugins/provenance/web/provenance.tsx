import { Alert, Anchor, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, EmptyState, Loaded, useAction, useAddress, useAgentNames } from 'agent-platform/console'
import { Download, Fingerprint, Info } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import type { Report } from './queries.ts'
import { reportQuery, saveBundle } from './queries.ts'
import { digestOf, kindOf, nameOf, noteOf, placeOf, usesOf } from './uses.ts'

const Drawing = lazy(() => import('./drawing.tsx'))

/** What a run or a session was made of, as a graph or as a list, and its bundle. */
export function Provenance({ type, id }: { type: 'run' | 'session'; id: string }) {
  const { search, change } = useAddress()
  const report = useQuery(reportQuery(type, id))
  const isList = search.get('made') === 'list'
  const saving = useAction({ run: saveBundle, changes: [] })
  return (
    <Loaded query={report}>
      {(report) =>
        report.runs.length === 0 ? (
          <EmptyState icon={Fingerprint} title="Nothing is recorded">
            A run is recorded when it has ended, unless its provenance is off.
          </EmptyState>
        ) : (
          <Stack>
            <Group justify="space-between">
              <SegmentedControl
                aria-label="How it is shown"
                data={[
                  { value: 'graph', label: 'Graph' },
                  { value: 'list', label: 'List' }
                ]}
                value={isList ? 'list' : 'graph'}
                onChange={(made) => change({ made: made === 'list' ? made : undefined })}
              />
              <Button
                variant="default"
                leftSection={<Download size={16} aria-hidden />}
                loading={saving.isPending}
                onClick={() => saving.mutate(id)}
              >
                Save the signed bundle
              </Button>
            </Group>
            {report.nextCursor && (
              <Alert variant="light" icon={<Info aria-hidden />}>
                These are the latest runs; the bundle has all of them.
              </Alert>
            )}
            {isList ? (
              <UseTable report={report} />
            ) : (
              <Suspense fallback={<Text role="status">Drawing…</Text>}>
                <Drawing report={report} />
              </Suspense>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}

function UseTable({ report }: { report: Report }) {
  const agents = useAgentNames()
  return (
    <DataTable
      label="What it was made of"
      rows={usesOf(report)}
      keyOf={({ key }) => key}
      columns={[
        { header: 'What', cell: ({ use }) => kindOf(use) },
        {
          header: 'Which',
          cell({ use }) {
            const place = placeOf(use)
            if (!place) return nameOf(use, agents)
            return (
              <Anchor component={Link} href={place} size="sm" underline="always">
                {nameOf(use, agents)}
              </Anchor>
            )
          },
          note: ({ use }) => noteOf(use),
          maxWidth: 360
        },
        {
          header: 'SHA-256',
          cell({ use }) {
            const digest = digestOf(use)
            return digest ? <Code>{digest.slice(0, 16)}…</Code> : '–'
          }
        },
        { header: 'Runs', cell: ({ use }) => use.runIds.length, isNumber: true }
      ]}
    />
  )
}
