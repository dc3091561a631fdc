import { Anchor, Button, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ActionButton, api, ConfirmButton, Loaded, useAction, useAddress } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { ArrowLeft } from 'lucide-react'
import { BuildPanel } from './build-panel.tsx'
import { Editor } from './editor.tsx'
import { PreviewPanel } from './preview-panel.tsx'

type Build = Schemas['Build']

/** One project: its files, its builds, and what it shows. */
export function Project({ agentId, projectId }: { agentId: string; projectId: string }) {
  const { search, change } = useAddress()
  const path = { agentId, projectId }
  const query = useQuery({
    queryKey: ['code-project', projectId],
    queryFn: ({ signal }) =>
      api.get('/v1/agents/{agentId}/projects/{projectId}', {
        params: { path, query: { content: false } },
        signal
      })
  })
  const changes = [
    ['code-project', projectId],
    ['code-projects', agentId],
    ['code-project-builds', projectId]
  ]
  const begun = ({ data }: { data: Build }) => change({ build: data.id })
  const publishing = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/projects/{projectId}/publish', { params: { path }, body: { wait: 1 } }),
    changes,
    onDone: begun
  })
  const verifying = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/projects/{projectId}/verify', { params: { path }, body: { wait: 0 } }),
    changes,
    onDone: begun
  })
  const unpublishing = useAction({
    run: () => api.post('/v1/agents/{agentId}/projects/{projectId}/unpublish', { params: { path } }),
    changes,
    done: 'The preview is taken away'
  })
  const removing = useAction({
    run: () => api.delete('/v1/agents/{agentId}/projects/{projectId}', { params: { path } }),
    changes: [['code-projects', agentId]],
    done: 'The project is deleted',
    onDone: () => change({ project: null, file: null, build: null })
  })
  return (
    <Stack gap="md">
      <Anchor
        component="button"
        type="button"
        size="sm"
        w="fit-content"
        onClick={() => change({ project: null, file: null, build: null })}
      >
        <ArrowLeft size={14} aria-hidden /> All projects
      </Anchor>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Group justify="space-between" align="flex-start">
              <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }} miw={0} flex={1}>
                {data.name}
              </Title>
              <Group gap="xs">
                <Button size="sm" onClick={() => publishing.mutate()} loading={publishing.isPending}>
                  Publish
                </Button>
                <ActionButton
                  variant="default"
                  onClick={() => verifying.mutate()}
                  loading={verifying.isPending}
                >
                  Verify
                </ActionButton>
                {data.previewUrl && (
                  <ConfirmButton
                    title="Take the preview away?"
                    warning="Its address shows nothing any more. What was published is kept, and can be shown again."
                    onClick={() => unpublishing.mutate()}
                    loading={unpublishing.isPending}
                  >
                    Unpublish
                  </ConfirmButton>
                )}
                <ConfirmButton
                  title="Delete this project?"
                  warning="With its files, its builds and its preview. This cannot be undone."
                  onClick={() => removing.mutate()}
                  loading={removing.isPending}
                >
                  Delete
                </ConfirmButton>
              </Group>
            </Group>
            <Editor agentId={agentId} project={data} />
            <BuildPanel agentId={agentId} projectId={projectId} chosen={search.get('build')} />
            <PreviewPanel project={data} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}
