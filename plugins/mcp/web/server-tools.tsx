import { Button, Group, Stack, Text } from '@mantine/core'
import {
  api,
  CancelButton,
  CodeBlock,
  Dialog,
  EmptyState,
  ListTable,
  Panel,
  StatusBadge,
  useAction,
  useList
} from 'agent-platform/console'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
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
      <ListTable
        label="Tools of the server"
        list={list}
        empty={
          <EmptyState icon={Wrench} title="No tools yet">
            They are discovered when the server is connected.
          </EmptyState>
        }
        columns={[
          {
            header: 'Tool',
            to: ({ id }) => `/tools/${id}`,
            cell: ({ name }) => name,
            note: ({ description }) => description
          },
          {
            header: 'State',
            cell: (tool) => <StatusBadge status={stateOf(tool)} />,
            note: ({ unavailable }) => unavailable,
            maxWidth: 220
          },
          {
            header: 'Review',
            isAction: true,
            cell: (tool) =>
              !tool.approved && (
                <Button size="compact-sm" variant="default" onClick={() => setReviewed(tool)}>
                  Review
                </Button>
              )
          }
        ]}
      />
      <Dialog
        opened={reviewed !== null}
        onClose={() => setReviewed(null)}
        title="Approve this tool?"
        size="lg"
      >
        {reviewed && <Review tool={reviewed} onClose={() => setReviewed(null)} />}
      </Dialog>
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
        <CancelButton onClick={onClose} />
        <Button onClick={() => approving.mutate()} loading={approving.isPending}>
          Approve
        </Button>
      </Group>
    </Stack>
  )
}
