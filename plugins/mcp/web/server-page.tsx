import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  Loaded,
  PageFrame,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import type { Server } from './queries.ts'
import { serverQuery, statusQuery } from './queries.ts'
import { ServerActions } from './server-actions.tsx'
import { ServerTools } from './server-tools.tsx'

/** A tool server: its connection, its tools, and its end. */
export default function ServerPage() {
  const { serverId = '' } = useParams()
  const server = useQuery(serverQuery(serverId))
  const [authorizationUrl, setAuthorizationUrl] = useState<string | null>(null)
  const { data } = server
  return (
    <PageFrame
      title={data?.name ?? 'MCP server'}
      crumbs={[{ label: 'MCP servers', to: '/tool-servers' }]}
      badge={data && <StatusBadge status={data.status} />}
      actions={data && <ServerActions server={data} onAuthorize={setAuthorizationUrl} />}
    >
      <Loaded query={server}>
        {(server) => (
          <Stack gap="lg">
            {server.statusReason && (
              <Alert
                color="orange"
                variant="light"
                title="It is not connected"
                style={{ overflowWrap: 'anywhere' }}
              >
                {server.statusReason}
              </Alert>
            )}
            {server.status === 'unauthorized' && authorizationUrl && <Authorization url={authorizationUrl} />}
            <Connection server={server} />
            <ServerTools serverId={server.id} />
            <Removal server={server} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** The address is the server's own word: only one of the web is followed, and where it leads stands there. */
function Authorization({ url }: { url: string }) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null
  return (
    <Alert color="indigo" variant="light" title="It wants your consent">
      <Text size="sm">
        The platform will act for you at this server.{' '}
        <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit underline="always">
          Authorize at {new URL(url).host}
        </Anchor>
        , within ten minutes; then connect again.
      </Text>
    </Alert>
  )
}

const authorizations = {
  none: 'None',
  key: 'A tool key',
  oauth: 'OAuth',
  connection: 'An OAuth connection'
} as const

function Connection({ server }: { server: Server }) {
  const status = useQuery(statusQuery(server.id))
  return (
    <Panel title="Connection">
      <Loaded query={status}>
        {({ open, protocolVersion, server: identity, tools, available, pending }) => (
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
            <Entry label={server.url ? 'Address' : 'Command'}>
              {server.url ?? [server.command, ...server.args].join(' ')}
            </Entry>
            <Entry label="Calls itself">{identity ? `${identity.name} ${identity.version}` : '–'}</Entry>
            <Entry label="Protocol">{protocolVersion ?? '–'}</Entry>
            <Entry label="Authorization">{authorizations[server.auth.type]}</Entry>
            <Entry label="Tools">
              {tools} offered, {available} available, {pending} waiting for approval
            </Entry>
            <Entry label="Discovered">
              <TimeAgo at={server.lastSyncAt} />
              {open ? ', connection open' : ''}
            </Entry>
          </SimpleGrid>
        )}
      </Loaded>
    </Panel>
  )
}

const Entry = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
)

function Removal({ server: { id, name } }: { server: Server }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/mcp/servers/{serverId}', { params: { path: { serverId: id } } }),
    changes: [['mcp', 'list'], ['tools']],
    done: 'The MCP server is removed',
    onDone: () => navigate('/tool-servers')
  })
  return (
    <Panel title="Remove the server" description="Its tools go with it, from all agents.">
      <ConfirmButton
        title={`Remove ${name}?`}
        warning="Its tools are deleted, with their assignments and permissions, and its authorization is forgotten. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Remove server
      </ConfirmButton>
    </Panel>
  )
}
