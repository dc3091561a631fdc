import { Alert, Anchor, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, EmptyState, GraphDrawing, Loaded, useAddress } from 'agent-platform/console'
import { Info, Waypoints } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Graph } from './queries.ts'
import { graphQuery } from './queries.ts'

/** How the documents of a space lead to each other, drawn or as a list. */
export function Links({ spaceId }: { spaceId: string }) {
  const { search, change } = useAddress()
  const graph = useQuery(graphQuery(spaceId))
  const isList = search.get('view') === 'list'
  return (
    <Loaded query={graph}>
      {(graph) =>
        graph.edges.length === 0 && graph.unresolved.length === 0 ? (
          <EmptyState icon={Waypoints} title="No links yet">
            Write [[Page]] or a relative link in a document, and it leads to another one.
          </EmptyState>
        ) : (
          <Stack>
            <SegmentedControl
              aria-label="How links are shown"
              data={[
                { value: 'graph', label: 'Graph' },
                { value: 'list', label: 'List' }
              ]}
              value={isList ? 'list' : 'graph'}
              onChange={(view) => change({ view: view === 'list' ? view : undefined })}
              style={{ alignSelf: 'flex-start' }}
            />
            {graph.truncated && (
              <Alert variant="light" icon={<Info aria-hidden />}>
                The space has more documents or links than are shown here.
              </Alert>
            )}
            {isList ? (
              <LinkTable spaceId={spaceId} graph={graph} />
            ) : (
              <LinkDrawing spaceId={spaceId} graph={graph} />
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}

function LinkDrawing({ spaceId, graph: { nodes, edges } }: { spaceId: string; graph: Graph }) {
  const graph = useMemo(
    () => ({
      nodes: nodes.map(({ id, title, path }) => ({
        id,
        label: title,
        name: `${title}, ${path}`,
        to: `/knowledge/${spaceId}/documents/${id}`
      })),
      links: edges.map(({ fromId, toId }) => ({ from: fromId, to: toId }))
    }),
    [nodes, edges, spaceId]
  )
  return <GraphDrawing label="Graph of links; the list has the same links in words" graph={graph} />
}

function LinkTable({ spaceId, graph: { nodes, edges, unresolved } }: { spaceId: string; graph: Graph }) {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]))
  const to = (id: string) => (
    <Anchor component={Link} href={`/knowledge/${spaceId}/documents/${id}`} size="sm">
      {titles.get(id) ?? id}
    </Anchor>
  )
  const rows = [
    ...edges.map(({ fromId, toId, count }) => ({
      fromId,
      toId,
      count,
      key: `${fromId} ${toId}`,
      target: null
    })),
    ...unresolved.map(({ documentId, target, label, count }) => ({
      fromId: documentId,
      toId: null,
      target,
      count,
      key: `${documentId} ${target} ${label}`
    }))
  ]
  return (
    <DataTable
      label="Links"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { header: 'Document', cell: ({ fromId }) => to(fromId), maxWidth: 420 },
        {
          header: 'Links to',
          cell: ({ toId, target }) => (toId ? to(toId) : target),
          note: ({ toId }) => !toId && 'leads nowhere yet',
          maxWidth: 420
        },
        { header: 'Times', cell: ({ count }) => count, isNumber: true }
      ]}
    />
  )
}
