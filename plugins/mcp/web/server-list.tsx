import { Button } from '@mantine/core'
import {
  api,
  Dialog,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useList
} from 'agent-platform/console'
import { Plug, Plus } from 'lucide-react'
import { useLocation, useSearchParams } from 'wouter'
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
      title="MCP servers"
      description="Servers of the Model Context Protocol. Their tools become tools of the platform, once you approve them."
      actions={create}
    >
      <ListTable
        label="MCP servers"
        list={list}
        empty={
          <EmptyState icon={Plug} title="No MCP servers yet" action={create}>
            Add one by its address, or by a command that the deployment allows.
          </EmptyState>
        }
        columns={[
          {
            header: 'Name',
            to: ({ id }) => `/tool-servers/${id}`,
            cell: ({ name }) => name,
            note: ({ url, command, args }) => url ?? [command, ...args].join(' ')
          },
          {
            header: 'State',
            cell: ({ status }) => <StatusBadge status={status} />,
            note: ({ statusReason }) => statusReason,
            maxWidth: 280
          },
          { header: 'Transport', cell: ({ transport }) => transport },
          { header: 'Discovered', cell: ({ lastSyncAt }) => <TimeAgo at={lastSyncAt} /> }
        ]}
      />
      <Dialog opened={search.has('new')} onClose={close} title="Add an MCP server" size="lg">
        <NewServer onClose={close} onCreated={(id) => navigate(`/tool-servers/${id}`)} />
      </Dialog>
    </PageFrame>
  )
}
