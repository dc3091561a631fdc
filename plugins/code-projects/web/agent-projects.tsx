import { Anchor, Badge, Button, Card, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import {
  api,
  CancelButton,
  Dialog,
  EmptyState,
  ErrorNotice,
  Form,
  ListView,
  TimeAgo,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { FolderCode, Plus } from 'lucide-react'
import { useState } from 'react'
import { Project } from './project.tsx'

type CodeProject = Schemas['CodeProject']

const templates: Readonly<Record<CodeProject['template'], string>> = {
  static: 'Plain files',
  vite: 'Vite app',
  node: 'Node.js service'
}

/** Code projects of an agent. Which one is open stands in the address. */
export default function AgentProjects({ agentId }: { agentId: string }) {
  const { search, change } = useAddress()
  const open = search.get('project')
  const list = useList(['code-projects', agentId], (cursor, signal) =>
    api.get('/v1/agents/{agentId}/projects', {
      params: { path: { agentId }, query: { limit: 50, cursor } },
      signal
    })
  )
  const isNew = search.get('new') === 'project'
  if (open) return <Project key={open} agentId={agentId} projectId={open} />
  const create = (
    <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ new: 'project' })}>
      New project
    </Button>
  )
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h5">
          Code projects
        </Title>
        {create}
      </Group>
      <ListView
        list={list}
        empty={
          <EmptyState icon={FolderCode} title="This agent has no code projects" action={create}>
            A web site, an app or a service: its files are written by you and by the agent, built on the
            agent’s computer, and shown to whom you give the address of its preview.
          </EmptyState>
        }
      >
        {(projects) =>
          projects.map((it) => (
            <Card key={it.id} withBorder padding="lg">
              <Group justify="space-between" align="flex-start">
                <Stack gap={4} miw={0} flex={1}>
                  <Group gap="sm">
                    <Title order={3} size="h6" style={{ overflowWrap: 'anywhere' }}>
                      <Anchor
                        inherit
                        component="button"
                        type="button"
                        onClick={() => change({ project: it.id }, { push: true })}
                      >
                        {it.name}
                      </Anchor>
                    </Title>
                    {it.previewUrl && (
                      <Badge variant="default" tt="none">
                        Published
                      </Badge>
                    )}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {templates[it.template]} · {it.fileCount} {it.fileCount === 1 ? 'file' : 'files'} ·
                    changed <TimeAgo at={it.updatedAt} />
                  </Text>
                </Stack>
              </Group>
            </Card>
          ))
        }
      </ListView>
      <NewProject agentId={agentId} isOpen={isNew} onClose={() => change({ new: null })} />
    </Stack>
  )
}

function NewProject({ agentId, isOpen, onClose }: { agentId: string; isOpen: boolean; onClose: () => void }) {
  const { change } = useAddress()
  const [name, setName] = useState('')
  const [template, setTemplate] = useState<CodeProject['template']>('static')
  const creating = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/projects', { params: { path: { agentId } }, body: { name, template } }),
    changes: [['code-projects', agentId]],
    onDone: ({ data }) => change({ new: null, project: data.id }),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New project">
      <Form action={creating} onSubmit={() => creating.mutate()}>
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={100}
            required
            data-autofocus
          />
          <Select
            label="Template"
            data={Object.entries(templates).map(([value, label]) => ({ value, label }))}
            value={template}
            onChange={(value) => setTemplate((value as CodeProject['template'] | null) ?? 'static')}
            allowDeselect={false}
          />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Create project
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
