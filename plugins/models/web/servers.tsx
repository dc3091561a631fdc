import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  DataTable,
  Loaded,
  Panel,
  TimeAgo,
  useAction,
  useSession
} from 'agent-platform/console'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Server } from './queries.ts'
import { mayConfigure, serversQuery } from './queries.ts'
import { ServerDialog } from './server-dialog.tsx'

/** OpenAI-compatible servers of the project, for those who may set them up. */
export function Servers() {
  const { principal } = useSession()
  const mayRead = mayConfigure(principal)
  const servers = useQuery({ ...serversQuery, enabled: mayRead })
  const [edited, setEdited] = useState<Server | 'new' | undefined>()
  if (!mayRead) return null
  return (
    <Panel
      title="OpenAI-compatible servers"
      description="Servers of the project, each with its own URL, headers and models."
      actions={
        <Button size="xs" leftSection={<Plus size={14} aria-hidden />} onClick={() => setEdited('new')}>
          Add server
        </Button>
      }
    >
      <Loaded query={servers}>
        {(servers) =>
          servers.length > 0 ? (
            <ServerTable servers={servers} onEdit={setEdited} />
          ) : (
            <Text size="sm" c="dimmed">
              No servers yet. Add one for Ollama, vLLM, LM Studio or another server with chat completions.
            </Text>
          )
        }
      </Loaded>
      {edited && (
        <ServerDialog
          key={edited === 'new' ? 'new' : edited.id}
          server={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  )
}

const ServerTable = ({
  servers,
  onEdit
}: {
  servers: readonly Server[]
  onEdit: (server: Server) => void
}) => (
  <DataTable
    label="OpenAI-compatible servers"
    rows={servers}
    columns={[
      { header: 'Server', cell: ({ name }) => name, note: ({ id }) => id },
      { header: 'URL', cell: ({ baseUrl }) => baseUrl, maxWidth: 240 },
      { header: 'Models', cell: ({ models }) => models.length || '–', isNumber: true },
      { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
      { header: 'Actions', cell: (server) => <Actions server={server} onEdit={onEdit} /> }
    ]}
  />
)

function Actions({ server, onEdit }: { server: Server; onEdit: (server: Server) => void }) {
  const deleting = useAction({
    run: () => api.delete('/v1/models/servers/{name}', { params: { path: { name: server.name } } }),
    changes: [['models']],
    done: 'Server deleted'
  })
  return (
    <Button.Group>
      <Button size="xs" variant="default" onClick={() => onEdit(server)}>
        Edit
      </Button>
      <ConfirmButton
        title={`Delete the server ${server.name}?`}
        warning="Its key and headers are deleted. Runs of agents that use it fail."
        onClick={() => deleting.mutate()}
        loading={deleting.isPending}
      >
        Delete
      </ConfirmButton>
    </Button.Group>
  )
}
