import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, ErrorNotice, Form, Loaded, useAction, useAddress } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import type { ReactNode } from 'react'
import { useState } from 'react'

type WithFiles = Schemas['CodeProjectWithFiles']

/** A file of a project: its text to be changed, or that it is none. */
export function OpenFile({ agentId, project, path }: { agentId: string; project: WithFiles; path: string }) {
  const { change } = useAddress()
  const at = { agentId, projectId: project.id }
  const version = project.files.find((file) => file.path === path)?.version
  const query = useQuery({
    queryKey: ['code-project', project.id, 'file', path, version],
    queryFn: ({ signal }) =>
      api.get('/v1/agents/{agentId}/projects/{projectId}', {
        params: { path: at, query: { path } },
        signal
      })
  })
  const removing = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/projects/{projectId}/files', {
        params: { path: at },
        body: { baseVersion: project.version, delete: [path] }
      }),
    changes: [['code-project', project.id]],
    onDone: () => change({ file: null })
  })
  const remove = (
    <ConfirmButton
      size="compact-sm"
      title={`Delete ${path}?`}
      warning="What was published stays as it is."
      onClick={() => removing.mutate()}
      loading={removing.isPending}
    >
      Delete file
    </ConfirmButton>
  )
  return (
    <Loaded query={query}>
      {({ data }) => {
        const file = data.files.find((it) => it.path === path)
        if (file?.encoding === 'utf8')
          return (
            <TextFile
              key={file.sha256}
              at={at}
              path={path}
              text={file.content ?? ''}
              base={data.version}
              remove={remove}
            />
          )
        return (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {path} is no text ({file?.size ?? 0} bytes).
            </Text>
            {remove}
          </Group>
        )
      }}
    </Loaded>
  )
}

function TextFile(props: {
  at: { agentId: string; projectId: string }
  path: string
  text: string
  base: number
  remove: ReactNode
}) {
  const { at, path, text, base, remove } = props
  const [edited, setEdited] = useState(text)
  const saving = useAction({
    run: () =>
      api.put('/v1/agents/{agentId}/projects/{projectId}/files', {
        params: { path: at },
        body: { baseVersion: base, files: [{ path, content: edited }] }
      }),
    changes: [['code-project', at.projectId]],
    done: `${path} is saved`,
    isQuiet: true
  })
  const isChanged = edited !== text
  return (
    <Form action={saving} onSubmit={() => saving.mutate()}>
      <Stack gap="sm">
        <Textarea
          label={path}
          value={edited}
          onChange={({ currentTarget }) => setEdited(currentTarget.value)}
          onKeyDown={(event) => {
            if ((event.ctrlKey || event.metaKey) && event.key === 's') {
              event.preventDefault()
              if (isChanged) saving.mutate()
            }
          }}
          styles={{
            input: {
              fontFamily: 'var(--mantine-font-family-monospace)',
              fontSize: 13,
              whiteSpace: 'pre',
              overflowX: 'auto'
            }
          }}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          rows={18}
        />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="space-between">
          <Group gap="xs">
            <Button type="submit" size="sm" disabled={!isChanged} loading={saving.isPending}>
              Save
            </Button>
            <Button size="sm" variant="default" disabled={!isChanged} onClick={() => setEdited(text)}>
              Discard
            </Button>
          </Group>
          {remove}
        </Group>
      </Stack>
    </Form>
  )
}
