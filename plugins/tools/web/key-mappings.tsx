import { Anchor, Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, ErrorNotice, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ToolKey } from './queries.ts'
import { accessibleQuery } from './queries.ts'

const places = ['header', 'query', 'body'] as const

/** Which tools are called with a key, and where in the request it stands. */
export function KeyMappings({ toolKey: { id, mappings } }: { toolKey: ToolKey }) {
  const unmapping = useAction({
    run: (mappingId: string) =>
      api.delete('/v1/tool-keys/map/{mappingId}', { params: { path: { mappingId } } }),
    changes: [['tool-keys']],
    done: 'The tool is called without the key now'
  })
  return (
    <Panel title="Tools that are called with it">
      <Stack gap="lg">
        <MapForm keyId={id} />
        {mappings.length > 0 ? (
          <Table.ScrollContainer minWidth={440}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Tool</Table.Th>
                  <Table.Th>Place</Table.Th>
                  <Table.Th>Action</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {mappings.map(({ id, toolId, toolName, in: place, name }) => (
                  <Table.Tr key={id}>
                    <Table.Td maw={260}>
                      <Anchor
                        component={Link}
                        href={`/tools/${toolId}`}
                        size="sm"
                        style={{ overflowWrap: 'anywhere' }}
                      >
                        {toolName}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      {place} {name}
                    </Table.Td>
                    <Table.Td>
                      <ConfirmButton
                        size="compact-sm"
                        title={`Take the key from ${toolName}?`}
                        warning="It is called without the key from its next call on."
                        onClick={() => unmapping.mutate(id)}
                      >
                        Remove
                      </ConfirmButton>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ) : (
          <Text size="sm" c="dimmed">
            None yet.
          </Text>
        )}
      </Stack>
    </Panel>
  )
}

function MapForm({ keyId }: { keyId: string }) {
  const { data: tools = [] } = useQuery(accessibleQuery)
  const [toolId, setToolId] = useState<string | null>(null)
  const [place, setPlace] = useState<(typeof places)[number]>('header')
  const [name, setName] = useState('authorization')
  const mapping = useAction({
    run: (toolId: string) => api.post('/v1/tool-keys/map', { body: { keyId, toolId, in: place, name } }),
    changes: [['tool-keys']],
    done: 'The tool is called with the key now',
    onDone: () => setToolId(null),
    isQuiet: true
  })
  const http = tools.filter(({ kind, grant }) => kind === 'http' && grant.level === 'manage')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (toolId) mapping.mutate(toolId)
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <Select
            label="Tool"
            placeholder="Choose an HTTP tool"
            data={http.map(({ id, name }) => ({ value: id, label: name }))}
            value={toolId}
            onChange={setToolId}
            searchable
            limit={100}
            nothingFoundMessage="No HTTP tool of that name"
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
          <Button type="submit" variant="default" disabled={!toolId} loading={mapping.isPending}>
            Map
          </Button>
        </Group>
        {mapping.error ? <ErrorNotice error={mapping.error} /> : null}
      </Stack>
    </form>
  )
}
