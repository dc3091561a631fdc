import { Button, Grid, Group, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { api, ErrorNotice, Form, Panel, useAction, useAddress } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FileTree } from './file-tree.tsx'
import { OpenFile } from './open-file.tsx'

type WithFiles = Schemas['CodeProjectWithFiles']

/** The files of a project, and one of them to be edited. Which one stands in the address. */
export function Editor({ agentId, project }: { agentId: string; project: WithFiles }) {
  const { search, change } = useAddress()
  const [name, setName] = useState('')
  const paths = project.files.map(({ path }) => path)
  const asked = search.get('file')
  const open =
    paths.find((path) => path === asked) ?? paths.find((path) => path.endsWith('index.html')) ?? paths[0]
  const adding = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/projects/{projectId}/files', {
        params: { path: { agentId, projectId: project.id } },
        // Another one's file of that name stays as it is.
        headers: { 'if-match': `"${project.version}"` },
        body: { files: [{ path: name, content: '' }] }
      }),
    changes: [['code-project', project.id]],
    onDone: () => {
      change({ file: name })
      setName('')
    },
    isQuiet: true
  })
  return (
    <Panel title="Files" description={`Version ${project.version}`}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, sm: 4, lg: 3 }}>
          <Stack gap="xs">
            <ScrollArea.Autosize mah={420} type="auto">
              <FileTree paths={paths} open={open} onOpen={(file) => change({ file })} />
            </ScrollArea.Autosize>
            <Form action={adding} onSubmit={() => adding.mutate()}>
              <Group gap="xs" wrap="nowrap" align="flex-end">
                <TextInput
                  size="xs"
                  flex={1}
                  label="New file"
                  placeholder="src/tea.js"
                  value={name}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                  maxLength={1_024}
                  required
                />
                <Button
                  size="xs"
                  type="submit"
                  variant="default"
                  aria-label="Add the file"
                  loading={adding.isPending}
                  disabled={paths.includes(name)}
                >
                  <Plus size={14} aria-hidden />
                </Button>
              </Group>
            </Form>
            {adding.error ? <ErrorNotice error={adding.error} /> : null}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 8, lg: 9 }}>
          {open === undefined ? (
            <Text size="sm" c="dimmed">
              There are no files yet.
            </Text>
          ) : (
            <OpenFile key={open} agentId={agentId} project={project} path={open} />
          )}
        </Grid.Col>
      </Grid>
    </Panel>
  )
}
