import { Anchor, Button, Modal, Table, Text } from '@mantine/core'
import { api, EmptyState, ListView, PageFrame, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { Plug, Plus } from 'lucide-react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { NewServer } from './new-server.tsx'

/** The caller's tool servers, and how their connections are. */
export default function ServerList() {
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()
  const list = useList(
    ['mcp', 'list'],
    (cursor, signal) => api.get('/v1/mcp/servers', { params: { query: { limit: 50, cursor } }, signal }),
    { refresh: 15_000 }
  )
  const close = () => setSearch({}, { replace: true })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setSearch({ new: '' })}>
      Add server
    </Button>
  )
  return (
    <PageFrame
      title="Tool servers"
      description="Servers of the Model Context Protocol. Their tools become tools of the platform, once you approve them."
      actions={create}
    >
      <ListView
        list={list}
        empty={
          <EmptyState icon={Plug} title="No tool servers yet" action={create}>
            Add one by its address, or by a command that the deployment allows.
          </EmptyState>
        }
      >
        {(servers) => (
          <Table.ScrollContainer minWidth={600}>
            <Table verticalSpacing="sm" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>Transport</Table.Th>
                  <Table.Th>Discovered</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {servers.map(
                  ({ id, name, url, command, args, transport, status, statusReason, lastSyncAt }) => (
                    <Table.Tr key={id}>
                      <Table.Td maw={360}>
                        <Anchor
                          component={Link}
                          href={`/tool-servers/${id}`}
                          fw={550}
                          c="inherit"
                          style={anywhere}
                        >
                          {name}
                        </Anchor>
                        <Text size="xs" c="dimmed" truncate>
                          {url ?? [command, ...args].join(' ')}
                        </Text>
                      </Table.Td>
                      <Table.Td maw={280}>
                        <StatusBadge status={status} />
                        {statusReason && (
                          <Text size="xs" c="dimmed" lineClamp={2} mt={4} style={anywhere}>
                            {statusReason}
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td>{transport}</Table.Td>
                      <Table.Td>
                        <TimeAgo at={lastSyncAt} />
                      </Table.Td>
                    </Table.Tr>
                  )
                )}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListView>
      <Modal opened={search.has('new')} onClose={close} title="Add a tool server" size="lg">
        <NewServer onClose={close} onCreated={(id) => navigate(`/tool-servers/${id}`)} />
      </Modal>
    </PageFrame>
  )
}

const anywhere = { overflowWrap: 'anywhere' } as const
