import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, DataTable, ErrorNotice, Form, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'
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
        <DataTable
          label="Tools that are called with the key"
          rows={mappings}
          empty="None yet."
          columns={[
            {
              header: 'Tool',
              to: ({ toolId }) => `/tools/${toolId}`,
              cell: ({ toolName }) => toolName,
              maxWidth: 260
            },
            { header: 'Place', cell: ({ in: place, name }) => `${place} ${name}` },
            {
              header: 'Remove',
              isAction: true,
              cell: ({ id, toolName }) => (
                <ConfirmButton
                  size="compact-sm"
                  title={`Take the key from ${toolName}?`}
                  warning="It is called without the key from its next call on."
                  onClick={() => unmapping.mutate(id)}
                >
                  Remove
                </ConfirmButton>
              )
            }
          ]}
        />
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
    <Form
      action={mapping}
      onSubmit={() => {
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
    </Form>
  )
}
