import { Alert, Anchor, Button, Code, Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  DataTable,
  EmptyState,
  GraphDrawing,
  Loaded,
  useAction,
  useAddress,
  useAgentNames
} from 'agent-platform/console'
import { Download, Fingerprint, Info } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Report } from './queries.ts'
import { reportQuery, saveBundle } from './queries.ts'
import { agentsOf, digestOf, kindOf, labelOf, nameOf, noteOf, placeOf, usesOf } from './uses.ts'

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
            {isList ? <UseTable report={report} /> : <UseDrawing report={report} />}
          </Stack>
        )
      }
    </Loaded>
  )
}

/** Runs, and what leads into them. */
function UseDrawing({ report }: { report: Report }) {
  const agents = useAgentNames(agentsOf(report))
  const graph = useMemo(() => {
    const uses = usesOf(report)
    return {
      nodes: [
        ...uses.map(({ key, use }) => ({ id: key, label: labelOf(use, agents), to: placeOf(use) })),
        ...report.runs.map(({ runId, status }) => ({
          id: runId,
          label: `Run, ${status}`,
          to: `/runs/${runId}`
        }))
      ],
      links: uses.flatMap(({ key, use }) => use.runIds.map((runId) => ({ from: key, to: runId })))
    }
  }, [report, agents])
  return <GraphDrawing label="Graph of what it was made of; the list has the same in words" graph={graph} />
}

function UseTable({ report }: { report: Report }) {
  const agents = useAgentNames(agentsOf(report))
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
