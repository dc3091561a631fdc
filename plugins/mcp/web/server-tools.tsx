import { Anchor, Button, Group, Modal, Stack, Table, Text } from '@mantine/core'
import {
  api,
  CodeBlock,
  EmptyState,
  ListView,
  Panel,
  StatusBadge,
  useAction,
  useList
} from 'agent-platform/console'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ServerTool } from './queries.ts'

/** What a server offers; what is new or changed waits until its owner has read and approved it. */
export function ServerTools({ serverId }: { serverId: string }) {
  const [reviewed, setReviewed] = useState<ServerTool | null>(null)
  const list = useList(['mcp', serverId, 'tools'], (cursor, signal) =>
    api.get('/v1/mcp/servers/{serverId}/tools', {
      params: { path: { serverId }, query: { limit: 50, cursor } },
      signal
    })
  )
  return (
    <Panel title="Tools">
      <ListView
        list={list}
        empty={
          <EmptyState icon={Wrench} title="No tools yet">
            They are discovered when the server is connected.
          </EmptyState>
        }
      >
        {(tools) => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Tool</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>Action</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tools.map((tool) => (
                  <Table.Tr key={tool.id}>
                    <Table.Td maw={420}>
                      <Anchor
                        component={Link}
                        href={`/tools/${tool.id}`}
                        fw={550}
                        c="inherit"
                        style={anywhere}
                      >
                        {tool.name}
                      </Anchor>
                      <Text size="xs" c="dimmed" lineClamp={2} style={anywhere}>
                        {tool.description.slice(0, 300)}
                      </Text>
                    </Table.Td>
                    <Table.Td maw={220}>
                      <StatusBadge status={stateOf(tool)} />
                      {tool.unavailable && (
                        <Text size="xs" c="dimmed" lineClamp={2} mt={4}>
                          {tool.unavailable}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td>
                      {tool.approved ? (
                        '–'
                      ) : (
                        <Button size="compact-sm" variant="default" onClick={() => setReviewed(tool)}>
                          Review
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
      <Modal
        opened={reviewed !== null}
        onClose={() => setReviewed(null)}
        title="Approve this tool?"
        size="lg"
      >
        {reviewed && <Review tool={reviewed} onClose={() => setReviewed(null)} />}
      </Modal>
    </Panel>
  )
}

const anywhere = { overflowWrap: 'anywhere' } as const

const stateOf = ({ approved, available }: ServerTool) =>
  available ? 'available' : approved ? 'unavailable' : 'pending'

/** The approval is of the definition that is shown: of another one it is refused. */
function Review({
  tool: { id, name, description, parameters, digest },
  onClose
}: {
  tool: ServerTool
  onClose: () => void
}) {
  const approving = useAction({
    run: () =>
      api.post('/v1/mcp/tools/{mcpToolId}/approve', {
        params: { path: { mcpToolId: id } },
        body: { digest }
      }),
    changes: [['mcp'], ['tools']],
    done: `${name} can be offered to agents`,
    onDone: onClose
  })
  return (
    <Stack>
      <Text size="sm" fw={550} style={anywhere}>
        {name}
      </Text>
      <Text size="sm" style={{ ...anywhere, whiteSpace: 'pre-wrap' }}>
        {description}
      </Text>
      <CodeBlock value={parameters} label="Parameters" />
      <Text size="sm" c="dimmed">
        Models read this text as it stands. Approve it only if it says what you expect, and nothing else.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => approving.mutate()} loading={approving.isPending}>
          Approve
        </Button>
      </Group>
    </Stack>
  )
}
