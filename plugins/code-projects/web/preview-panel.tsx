import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, baseUrl, Loaded, Panel, TimeAgo, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { ExternalLink } from 'lucide-react'

type WithFiles = Schemas['CodeProjectWithFiles']

/** As the reply says it, too: the page has no origin, and leads this one nowhere. */
const SANDBOX = 'allow-scripts allow-forms allow-modals allow-popups allow-downloads'

/** What everyone with the address sees, and what was shown before. */
export function PreviewPanel({ project }: { project: WithFiles }) {
  const { agentId, id: projectId, slug, previewUrl, publicationId } = project
  const isHere = previewUrl !== null && !new URL(previewUrl).host.startsWith(slug)
  const list = useQuery({
    queryKey: ['code-project', projectId, 'publications', publicationId],
    queryFn: ({ signal }) =>
      api.get('/v1/agents/{agentId}/projects/{projectId}/publications', {
        params: { path: { agentId, projectId } },
        signal
      })
  })
  const restoring = useAction({
    run: (id: string) =>
      api.post('/v1/agents/{agentId}/projects/{projectId}/publications/{publicationId}/restore', {
        params: { path: { agentId, projectId, publicationId: id } }
      }),
    changes: [['code-project', projectId]],
    done: 'The preview shows it again'
  })
  return (
    <Panel
      title="Preview"
      description={previewUrl ? 'Everyone with its address sees it' : 'Nothing is published'}
      actions={
        previewUrl && (
          <Anchor
            size="sm"
            href={isHere ? `${baseUrl}/v1/previews/${slug}/` : previewUrl}
            target="_blank"
            rel="noreferrer"
          >
            Open <ExternalLink size={14} aria-hidden />
          </Anchor>
        )
      }
    >
      <Stack gap="md">
        {isHere && (
          <iframe
            key={publicationId}
            title="Preview"
            src={`${baseUrl}/v1/previews/${slug}/`}
            sandbox={SANDBOX}
            referrerPolicy="no-referrer"
            style={{
              width: '100%',
              height: 420,
              border: '1px solid var(--mantine-color-default-border)',
              background: 'white'
            }}
          />
        )}
        <Loaded query={list}>
          {({ data }) => (
            <>
              {data.map(({ id, number, isCurrent, version, createdAt }) => (
                <Group key={id} justify="space-between">
                  <Text size="sm">
                    Publication {number}, of version {version} · <TimeAgo at={createdAt} />
                  </Text>
                  {isCurrent ? (
                    <Text size="sm" c="dimmed">
                      Shown
                    </Text>
                  ) : (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => restoring.mutate(id)}
                      loading={restoring.isPending}
                    >
                      Show publication {number}
                    </Button>
                  )}
                </Group>
              ))}
            </>
          )}
        </Loaded>
      </Stack>
    </Panel>
  )
}
