import { Alert, Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ConnectionChoice } from 'agent-platform/console'
import {
  api,
  ConfirmButton,
  ConnectionFields,
  ErrorNotice,
  Form,
  ListTable,
  Panel,
  useAction,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'
import type { Tool } from './queries.ts'
import { keysQuery } from './queries.ts'

type Mapping = Schemas['ToolKeyUse']

const changes = [['tool-keys'], ['connections', 'uses']]

/** Keys and connections that the tool is called with. */
export function ToolCredentials({ tool: { id: toolId } }: { tool: Tool }) {
  const list = useList(['tool-keys', 'of-tool', toolId], (cursor, signal) =>
    api.get('/v1/tool-keys/map', { params: { query: { toolId, limit: 50, cursor } }, signal })
  )
  const removing = useAction({
    run: (mappingId: string) =>
      api.delete('/v1/tool-keys/map/{mappingId}', { params: { path: { mappingId } } }),
    changes,
    done: 'The tool is called without it now'
  })
  return (
    <Stack gap="lg" maw={820}>
      <Panel title="It is called with" description="Neither agents nor models see any of it.">
        <ListTable
          label="Credentials of the tool"
          list={list}
          empty="Nothing: its calls carry no credential."
          columns={[
            {
              header: 'Credential',
              to: ({ keyId, connectionId }: Mapping) =>
                keyId === null ? `/connections/${connectionId}` : `/tool-keys/${keyId}`,
              cell: ({ keyId }) => (keyId === null ? 'A connection' : 'A key'),
              note: ({ scopes }) => (scopes.length > 0 ? `allowed ${scopes.join(', ')}` : undefined)
            },
            { header: 'Of', cell: ({ owner }) => owner },
            { header: 'Place', cell: ({ in: place, name }) => `${place} ${name}` },
            {
              header: 'Remove',
              isAction: true,
              cell: ({ id }) => (
                <ConfirmButton
                  size="compact-sm"
                  title="Take it from the tool?"
                  warning="The tool is called without it from its next call on."
                  onClick={() => removing.mutate(id)}
                >
                  Remove
                </ConfirmButton>
              )
            }
          ]}
        />
      </Panel>
      <AddCredential toolId={toolId} />
    </Stack>
  )
}

const kinds = [
  { value: 'connection', label: 'A connection' },
  { value: 'key', label: 'A key' }
]
const places = ['header', 'query', 'body'] as const

function AddCredential({ toolId }: { toolId: string }) {
  const { data: keys = [] } = useQuery(keysQuery)
  const [kind, setKind] = useState('connection')
  const [choice, setChoice] = useState<ConnectionChoice | null>(null)
  const [keyId, setKeyId] = useState<string | null>(null)
  const [place, setPlace] = useState<(typeof places)[number]>('header')
  const [name, setName] = useState('authorization')
  const adding = useAction({
    run: () =>
      api.post('/v1/tool-keys/map', {
        body:
          kind === 'key'
            ? { toolId, keyId: keyId ?? '', in: place, name }
            : { toolId, connectionId: choice?.connectionId ?? '', scopes: [...(choice?.scopes ?? [])] }
      }),
    changes,
    done: 'The tool is called with it now',
    onDone() {
      setChoice(null)
      setKeyId(null)
    },
    isQuiet: true
  })
  return (
    <Panel title="Add a credential">
      <Form action={adding} onSubmit={() => adding.mutate()}>
        <Stack>
          <Group>
            <SegmentedControl aria-label="Kind of credential" data={kinds} value={kind} onChange={setKind} />
          </Group>
          {kind === 'connection' ? (
            <>
              <Alert variant="light" color="gray" title="Who acts">
                Each agent that is given the tool acts by it as you, at the service of the connection.
              </Alert>
              <ConnectionFields value={choice} onChange={setChoice} />
            </>
          ) : (
            <Group align="flex-end" gap="sm">
              <Select
                label="Key"
                placeholder={keys.length > 0 ? 'Choose a key' : 'There is none yet'}
                data={keys.map(({ id, name }) => ({ value: id, label: name }))}
                value={keyId}
                onChange={setKeyId}
                searchable
                flex={1}
                miw={180}
              />
              <Select
                label="In"
                data={[...places]}
                value={place}
                onChange={(next) => setPlace(places.find((it) => it === next) ?? 'header')}
                allowDeselect={false}
                w={110}
              />
              <TextInput
                label="Name there"
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
                maxLength={100}
                required
                w={160}
              />
            </Group>
          )}
          {adding.error ? <ErrorNotice error={adding.error} /> : null}
          <Group>
            <Button type="submit" loading={adding.isPending} disabled={kind === 'key' ? !keyId : !choice}>
              Add
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}
