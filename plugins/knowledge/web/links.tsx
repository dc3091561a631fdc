import { Alert, Anchor, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded, useAddress } from 'agent-platform/console'
import { Info, Waypoints } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import type { Graph } from './queries.ts'
import { graphQuery } from './queries.ts'

const Drawing = lazy(() => import('./link-drawing.tsx'))

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
              <Suspense fallback={<Text role="status">Drawing…</Text>}>
                <Drawing spaceId={spaceId} graph={graph} />
              </Suspense>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}

function LinkTable({ spaceId, graph: { nodes, edges, unresolved } }: { spaceId: string; graph: Graph }) {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]))
  const to = (id: string) => (
    <Anchor component={Link} href={`/knowledge/${spaceId}/documents/${id}`} size="sm">
      {titles.get(id) ?? id}
    </Anchor>
  )
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table verticalSpacing="xs" style={{ overflowWrap: 'anywhere' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Document</Table.Th>
            <Table.Th>Links to</Table.Th>
            <Table.Th ta="right">Times</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {edges.map(({ fromId, toId, count }) => (
            <Table.Tr key={`${fromId} ${toId}`}>
              <Table.Td>{to(fromId)}</Table.Td>
              <Table.Td>{to(toId)}</Table.Td>
              <Table.Td ta="right">{count}</Table.Td>
            </Table.Tr>
          ))}
          {unresolved.map(({ documentId, target, label, count }) => (
            <Table.Tr key={`${documentId} ${target} ${label}`}>
              <Table.Td>{to(documentId)}</Table.Td>
              <Table.Td>
                {target}{' '}
                <Text span size="xs" c="dimmed">
                  (leads nowhere yet)
                </Text>
              </Table.Td>
              <Table.Td ta="right">{count}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
