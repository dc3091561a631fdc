import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  ActionButton,
  api,
  ConfirmButton,
  Details,
  Dialog,
  Form,
  ListTable,
  Loaded,
  PageFrame,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction,
  useList,
  useSession
} from 'agent-platform/console'
import { FlaskConical, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Consent } from './consent.tsx'
import type { Connection, Provider } from './queries.ts'
import { connectionQuery, providersQuery } from './queries.ts'

/** A connection: whose it is, what it may, whether it works, and its end. */
export default function ConnectionPage() {
  const { connectionId = '' } = useParams()
  const connection = useQuery(connectionQuery(connectionId))
  const providers = useQuery(providersQuery).data ?? []
  const [isAsking, setAsking] = useState(false)
  const { data } = connection
  const provider = providers.find(({ key }) => key === data?.providerKey)
  return (
    <PageFrame
      title={data?.name ?? 'Connection'}
      crumbs={[{ label: 'Connections', to: '/connections' }]}
      badge={data && <StatusBadge status={data.status} />}
      actions={data?.status === 'active' && <Actions connection={data} />}
    >
      <Loaded query={connection}>
        {(it) => (
          <Stack gap="lg">
            {it.status !== 'active' && (
              <Alert color="orange" variant="light" title="It cannot be used" style={anywhere}>
                {it.statusReason ?? 'Nobody has agreed yet.'}
              </Alert>
            )}
            <Access connection={it} provider={provider} onAsk={() => setAsking(true)} />
            <Uses connectionId={it.id} />
            <Naming key={it.version} connection={it} />
            <Removal connection={it} provider={provider} />
            <Dialog opened={isAsking} onClose={() => setAsking(false)} title={`Connect ${it.name}`} size="lg">
              {provider && <Consent provider={provider} connection={it} onClose={() => setAsking(false)} />}
            </Dialog>
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

const anywhere = { overflowWrap: 'anywhere' } as const

function Actions({ connection: { id } }: { connection: Connection }) {
  const params = { path: { connectionId: id } }
  const changes = [['connections']]
  const testing = useAction({
    run: () => api.get('/v1/oauth/connections/{connectionId}/test', { params }),
    changes,
    done: ({ data: { ok, account, milliseconds, statusReason } }) =>
      ok
        ? `It works${account ? `, as ${account}` : ''}: answered in ${milliseconds} ms`
        : `It does not work: ${statusReason ?? 'its token is not taken'}`
  })
  const renewing = useAction({
    run: () => api.post('/v1/oauth/connections/{connectionId}/refresh', { params }),
    changes,
    done: 'Its token is renewed'
  })
  return (
    <>
      <ActionButton
        leftSection={<FlaskConical size={16} aria-hidden />}
        onClick={() => testing.mutate()}
        loading={testing.isPending}
      >
        Test
      </ActionButton>
      <ActionButton
        variant="default"
        leftSection={<RefreshCw size={16} aria-hidden />}
        onClick={() => renewing.mutate()}
        loading={renewing.isPending}
      >
        Renew
      </ActionButton>
    </>
  )
}

function Access(props: { connection: Connection; provider: Provider | undefined; onAsk: () => void }) {
  const { connection, provider, onAsk } = props
  const { account, providerKey, scopes, expiresAt, createdAt, status } = connection
  const words = (name: string) => provider?.scopes.find((it) => it.name === name)?.description ?? name
  const isRunning = provider?.isConfigured === true
  return (
    <Panel
      title="What your agents may do"
      actions={
        isRunning && (
          <Button variant={status === 'active' ? 'default' : 'filled'} size="sm" onClick={onAsk}>
            {status === 'active' ? 'Allow more' : 'Connect again'}
          </Button>
        )
      }
    >
      <Stack>
        {scopes.length > 0 ? (
          <List size="sm" spacing={4}>
            {scopes.map((name) => (
              <List.Item key={name} style={anywhere}>
                {words(name)}
              </List.Item>
            ))}
          </List>
        ) : (
          <Text size="sm" c="dimmed">
            {status === 'pending' ? 'Nothing yet.' : 'What you chose at the service.'}
          </Text>
        )}
        <Details
          of={{
            Service: provider?.name ?? providerKey,
            Account: account ?? '–',
            'Sent to': provider?.hosts.join(', '),
            'Token ends':
              status !== 'active' ? undefined : expiresAt ? <TimeAgo at={expiresAt} /> : 'not by itself',
            Created: <TimeAgo at={createdAt} />
          }}
        />
      </Stack>
    </Panel>
  )
}

/** The tools that are called with it; tool servers and apps say so at their own pages. */
function Uses({ connectionId }: { connectionId: string }) {
  const hasTools = useSession().packs.some(({ name }) => name === 'tools')
  return hasTools ? <ToolsThatUse connectionId={connectionId} /> : null
}

function ToolsThatUse({ connectionId }: { connectionId: string }) {
  const list = useList(['connections', 'uses', connectionId], (cursor, signal) =>
    api.get('/v1/tool-keys/map', { params: { query: { connectionId, limit: 50, cursor } }, signal })
  )
  return (
    <Panel title="Tools that use it" description="MCP servers and apps say at their own pages what they use.">
      <ListTable
        label="Tools that use the connection"
        list={list}
        empty="None yet: add it to a tool under Credentials."
        columns={[
          {
            header: 'Tool',
            to: ({ toolId }) => `/tools/${toolId}/credentials`,
            cell: ({ toolName }) => toolName
          },
          { header: 'Has to be allowed', cell: ({ scopes }) => scopes.join(', ') || 'nothing in particular' }
        ]}
      />
    </Panel>
  )
}

function Naming({ connection: { id, name } }: { connection: Connection }) {
  const [label, setLabel] = useState(name)
  const renaming = useAction({
    run: () =>
      api.put('/v1/oauth/connections/{connectionId}', {
        params: { path: { connectionId: id } },
        body: { name: label }
      }),
    changes: [['connections']],
    done: 'Renamed'
  })
  return (
    <Panel title="Name">
      <Form action={renaming} onSubmit={() => renaming.mutate()}>
        <Group align="flex-end">
          <TextInput
            label="Name"
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            maxLength={200}
            required
            autoComplete="off"
            flex={1}
          />
          <Button type="submit" variant="default" disabled={label === name} loading={renaming.isPending}>
            Rename
          </Button>
        </Group>
      </Form>
    </Panel>
  )
}

function Removal({
  connection: { id, name },
  provider
}: {
  connection: Connection
  provider: Provider | undefined
}) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/oauth/connections/{connectionId}', { params: { path: { connectionId: id } } }),
    changes: [['connections']],
    done: 'Connection revoked',
    onDone: () => navigate('/connections')
  })
  return (
    <Panel
      title="Revoke connection"
      description="Revokes the tokens at the service and deletes them here. Tools that use the connection fail after that."
    >
      <ConfirmButton
        title={`Revoke ${name}?`}
        warning={`Your agents can no longer act at ${provider?.name ?? 'the service'} with this connection: tools, MCP servers and apps that use it fail until they have another one. The tokens are revoked at ${provider?.name ?? 'the service'} and deleted.`}
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Revoke connection
      </ConfirmButton>
    </Panel>
  )
}
