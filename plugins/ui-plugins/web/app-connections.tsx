import { Alert, Anchor, Button, Group, PasswordInput, SegmentedControl, Stack } from '@mantine/core'
import type { ConnectionChoice } from 'agent-platform/console'
import {
  api,
  ConnectionFields,
  Details,
  EmptyState,
  ErrorNotice,
  Form,
  ListView,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { App } from './queries.ts'

type Connection = Schemas['AppConnection']

const sent = { bearer: 'Authorization: Bearer', header: 'A header', query: 'In the address' }

const ways = [
  { value: 'connection', label: 'A connection' },
  { value: 'key', label: 'A key' }
]

/** Keys of services that the app uses and never sees. */
export function AppConnections({ app: { pluginId } }: { app: App }) {
  const list = useList(['apps', pluginId, 'connections'], (cursor, signal) =>
    api.get('/v1/ui-plugins/{pluginId}/connections', {
      params: { path: { pluginId }, query: { limit: 50, cursor } },
      signal
    })
  )
  return (
    <ListView
      list={list}
      empty={
        <EmptyState icon={KeyRound} title="No connections">
          The app uses no keys of other services.
        </EmptyState>
      }
    >
      {(rows) => (
        <Stack>
          {rows.map((it) => (
            <OneConnection key={it.key} pluginId={pluginId} connection={it} />
          ))}
        </Stack>
      )}
    </ListView>
  )
}

function OneConnection({ pluginId, connection }: { pluginId: string; connection: Connection }) {
  const { key, name, description, hosts, sentAs, oauth, changed, status, required, connectionId } = connection
  const [kind, setKind] = useState(oauth || connectionId !== null ? 'connection' : 'key')
  const [value, setValue] = useState('')
  const [choice, setChoice] = useState<ConnectionChoice | null>(null)
  const saving = useAction({
    run: (body: Schemas['NewAppConnection']) =>
      api.put('/v1/ui-plugins/{pluginId}/connections/{key}', { params: { path: { pluginId, key } }, body }),
    changes: [['apps', pluginId, 'connections']],
    done: 'The connection is saved',
    onDone() {
      setValue('')
      setChoice(null)
    },
    isQuiet: true
  })
  return (
    <Panel
      title={name}
      description={description ?? undefined}
      actions={
        <>
          <StatusBadge status={status} />
          {status !== 'missing' && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => saving.mutate({ enabled: status === 'off' })}
            >
              {status === 'off' ? 'Turn on' : 'Turn off'}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        <Details
          of={{
            'Sent to': hosts.join(', '),
            'Sent as': sent[sentAs],
            Connection:
              connectionId === null ? undefined : (
                <Anchor component={Link} href={`/connections/${connectionId}`} size="sm">
                  One of yours stands for the key
                </Anchor>
              ),
            'Has to be': oauth
              ? `to ${oauth.provider}${oauth.scopes.length > 0 ? `, allowed ${oauth.scopes.join(', ')}` : ''}`
              : undefined,
            Needed: required ? 'Yes' : 'No',
            'Last used': connection.lastUsedAt ? <TimeAgo at={connection.lastUsedAt} /> : 'Never',
            'Last failure': connection.lastFailure ?? undefined
          }}
        />
        {changed && (
          <Alert variant="light" color="orange" title="The draft would send it elsewhere">
            To {changed.hosts.join(', ')} ({sent[changed.sentAs]})
          </Alert>
        )}
        <Form
          action={saving}
          onSubmit={() => saving.mutate(kind === 'key' ? { value } : { connectionId: choice?.connectionId })}
        >
          <Stack gap="sm">
            <Group>
              <SegmentedControl
                aria-label={`What ${name} is called with`}
                data={ways}
                value={kind}
                onChange={setKind}
              />
            </Group>
            {kind === 'key' ? (
              <Group align="flex-end" gap="sm">
                <PasswordInput
                  flex="1 1 220px"
                  label={`Key of ${name}`}
                  description="Sealed, and never shown again."
                  placeholder={
                    status === 'missing' || connectionId !== null
                      ? undefined
                      : 'Set. Enter another to replace it'
                  }
                  value={value}
                  onChange={({ currentTarget }) => setValue(currentTarget.value)}
                  minLength={8}
                  maxLength={8_192}
                  autoComplete="off"
                  required
                />
                <Button type="submit" loading={saving.isPending}>
                  Save key
                </Button>
              </Group>
            ) : (
              <>
                <ConnectionFields
                  value={choice}
                  onChange={setChoice}
                  providerKey={oauth?.provider}
                  needed={oauth?.scopes ?? []}
                />
                <Group>
                  <Button type="submit" loading={saving.isPending} disabled={!choice}>
                    Use connection
                  </Button>
                </Group>
              </>
            )}
          </Stack>
        </Form>
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
      </Stack>
    </Panel>
  )
}
