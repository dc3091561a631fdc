import { Alert, Anchor, Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import {
  api,
  baseUrl,
  bytesOf,
  ConfirmButton,
  EmptyState,
  ListTable,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Download, PackageOpen } from 'lucide-react'
import { useState } from 'react'
import { Progress } from './progress.tsx'

type Export = Schemas['AgentExport']

/** Left out of an archive unless they are asked for. */
const optional = [
  { pack: 'sessions', label: 'Conversations', description: 'What was said to it, and what it answered' },
  { pack: 'library', label: 'Files', description: 'Those that it stored or was granted' },
  {
    pack: 'computer',
    label: 'Files of its computer',
    description: 'Its home as it is, with all that programs keep there, passwords too; links are left out'
  }
]

/** Archives of an agent: made here, and taken away as files. */
export default function AgentExport({ agentId }: { agentId: string }) {
  const [include, setInclude] = useState<string[]>([])
  const key = ['archives', agentId]
  const list = useList<Export>(
    key,
    (cursor, signal) =>
      api.get('/v1/agents/exports', { params: { query: { limit: 20, cursor, agentId } }, signal }),
    { refresh: 3_000 }
  )
  const exporting = useAction({
    run: () => api.post('/v1/agents/{agentId}/export', { params: { path: { agentId } }, body: { include } }),
    changes: [key]
  })
  const removing = useAction({
    run: (exportId: string) =>
      api.delete('/v1/agents/exports/{exportId}', { params: { path: { exportId } } }),
    changes: [key],
    done: 'The archive is deleted'
  })
  return (
    <Stack gap="md">
      <Panel title="Export">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            One signed file with all that is kept of the agent, as a backup or to be imported elsewhere. Keys,
            tokens and other secrets are left out, but not those that people wrote into texts.
          </Text>
          {optional.map(({ pack, label, description }) => (
            <Checkbox
              key={pack}
              label={label}
              description={description}
              checked={include.includes(pack)}
              onChange={({ currentTarget: { checked } }) =>
                setInclude((before) => (checked ? [...before, pack] : before.filter((it) => it !== pack)))
              }
            />
          ))}
          <Group>
            <Button
              leftSection={<PackageOpen size={16} aria-hidden />}
              loading={exporting.isPending}
              onClick={() => exporting.mutate()}
            >
              Export
            </Button>
          </Group>
        </Stack>
      </Panel>
      <ListTable
        label="Exports"
        list={list}
        empty={
          <EmptyState icon={PackageOpen} title="It was not exported yet">
            An archive stays until it is deleted, also when the agent is gone.
          </EmptyState>
        }
        columns={[
          { header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          { header: 'State', cell: (it) => <State of={it} /> },
          { header: 'To be set up again', cell: (it) => <Needs {...it} /> },
          {
            header: 'Archive',
            cell: (it) => (
              <Group gap="xs" wrap="nowrap">
                {it.fileId !== null && (
                  <Anchor href={`${baseUrl}/v1/files/${it.fileId}/content`} download size="sm">
                    <Group gap={4} wrap="nowrap" component="span">
                      <Download size={14} aria-hidden />
                      Download, {bytesOf(it.size ?? 0)}
                    </Group>
                  </Anchor>
                )}
                <ConfirmButton
                  size="compact-sm"
                  title="Delete the archive?"
                  warning="The file goes with it. The agent stays as it is."
                  onClick={() => removing.mutate(it.id)}
                >
                  Delete
                </ConfirmButton>
              </Group>
            )
          }
        ]}
      />
    </Stack>
  )
}

function State({ of: { status, progress, error, keyId } }: { of: Export }) {
  return (
    <Stack gap={4}>
      <StatusBadge status={status} />
      {status === 'running' && <Progress of={progress} />}
      {status === 'completed' && keyId === null && <Text size="xs">Not signed</Text>}
      {error && (
        <Alert color="red" p={6}>
          {error.message}
        </Alert>
      )}
    </Stack>
  )
}

function Needs({ status, needs }: Pick<Export, 'status' | 'needs'>) {
  if (needs.length === 0) return status === 'completed' ? 'Nothing' : ''
  return (
    <List size="xs" spacing={2}>
      {needs.slice(0, 10).map(({ pack, type, name, text }) => (
        <List.Item key={`${pack} ${type} ${name}`} title={text}>
          {type}: {name}
        </List.Item>
      ))}
      {needs.length > 10 && <List.Item>and {needs.length - 10} more</List.Item>}
    </List>
  )
}
