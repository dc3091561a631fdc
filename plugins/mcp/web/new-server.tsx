import {
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, CancelButton, ConnectionFields, ErrorNotice, Form, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import { keysQuery } from './queries.ts'

type NewMcpServer = Schemas['NewMcpServer']
type Transport = NonNullable<NewMcpServer['transport']>
type Auth = NonNullable<NewMcpServer['auth']>

const transports = [
  { value: 'http', label: 'HTTP' },
  { value: 'sse', label: 'SSE (older)' },
  { value: 'stdio', label: 'Command' }
]
const authTypes = [
  { value: 'none', label: 'None' },
  { value: 'key', label: 'A tool key' },
  { value: 'connection', label: 'A connection' },
  { value: 'oauth', label: 'OAuth' }
]

/** Registers a server, and connects to it, which discovers its tools. */
export function NewServer({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const [name, setName] = useState('')
  const [transport, setTransport] = useState<Transport>('http')
  const [url, setUrl] = useState('')
  const [command, setCommand] = useState('')
  const [args, setArgs] = useState<string[]>([])
  const [auth, setAuth] = useState<Auth>({ type: 'none' })
  const isCommand = transport === 'stdio'
  const creating = useAction({
    run: () =>
      api.post('/v1/mcp/servers', {
        body: { name, transport, ...(isCommand ? { command, args } : { url, auth }) }
      }),
    changes: [['mcp']],
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="Issue tracker"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
          autoComplete="off"
        />
        <Stack gap={4}>
          <Text size="sm" fw={500} id="transport">
            Transport
          </Text>
          <SegmentedControl
            aria-labelledby="transport"
            data={transports}
            value={transport}
            onChange={(next) => setTransport(next as Transport)}
          />
        </Stack>
        {isCommand ? (
          <>
            <TextInput
              label="Command"
              description="The name of one that the deployment allows (MCP_COMMANDS)."
              value={command}
              onChange={({ currentTarget }) => setCommand(currentTarget.value)}
              maxLength={64}
              required
            />
            <TagsInput
              label="Arguments"
              description="What fills the open places of the command, in their order."
              value={args}
              onChange={setArgs}
              maxTags={32}
              allowDuplicates
            />
          </>
        ) : (
          <>
            <TextInput
              label="Address"
              type="url"
              placeholder="https://tools.example.com/mcp"
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
              maxLength={2_000}
              required
            />
            <AuthFields auth={auth} onChange={setAuth} />
          </>
        )}
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending} disabled={isIncomplete(auth)}>
            Add server
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

/** What is chosen from a list may not have been yet. */
const isIncomplete = ({ type, keyId, connectionId }: Auth): boolean =>
  (type === 'key' && !keyId) || (type === 'connection' && !connectionId)

function AuthFields({ auth, onChange }: { auth: Auth; onChange: (auth: Auth) => void }) {
  const { data: keys = [] } = useQuery(keysQuery)
  const secret = typeof auth.clientSecret === 'string' ? auth.clientSecret : ''
  return (
    <>
      <Select
        label="Authorization"
        data={authTypes}
        value={auth.type}
        onChange={(type) => onChange({ type: (type ?? 'none') as Auth['type'] })}
        allowDeselect={false}
      />
      {auth.type === 'key' && (
        <Select
          label="Key"
          description="One of your tool keys, whose hosts include the server's. Sent as Authorization: Bearer."
          placeholder={keys.length > 0 ? 'Choose a key' : 'There is none yet: store one under Tools, Keys'}
          data={keys.map(({ id, name }) => ({ value: id, label: name }))}
          value={auth.keyId ?? null}
          onChange={(keyId) => onChange({ type: 'key', ...(keyId && { keyId }) })}
          searchable
          required
        />
      )}
      {auth.type === 'connection' && (
        <ConnectionFields
          value={
            auth.connectionId === undefined
              ? null
              : { connectionId: auth.connectionId, scopes: auth.scopes ?? [] }
          }
          onChange={({ connectionId, scopes }) =>
            onChange({ type: 'connection', connectionId, scopes: [...scopes] })
          }
        />
      )}
      {auth.type === 'oauth' && (
        <>
          <TextInput
            label="Client id"
            description="Only of a client that was registered by hand."
            value={auth.clientId ?? ''}
            onChange={({ currentTarget }) =>
              onChange({ ...auth, clientId: currentTarget.value || undefined })
            }
            maxLength={500}
          />
          <PasswordInput
            label="Client secret"
            description="Sealed, and never shown again."
            value={secret}
            onChange={({ currentTarget }) =>
              onChange({ ...auth, clientSecret: currentTarget.value || undefined })
            }
            maxLength={1_000}
            autoComplete="off"
          />
        </>
      )}
    </>
  )
}
