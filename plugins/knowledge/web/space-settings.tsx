import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { api, ConfirmButton, Form, useAction, useDraft } from 'agent-platform/console'
import { useLocation } from 'wouter'
import type { Space } from './queries.ts'
import type { SpaceDraft } from './space-fields.tsx'
import { SpaceFields } from './space-fields.tsx'

export function SpaceSettings({ space }: { space: Space }) {
  const { id: spaceId, name } = space
  const draft = useDraft(
    `knowledge space ${spaceId}`,
    space,
    ({ name, description, provider }): SpaceDraft => ({ name, description, provider })
  )
  const saving = useAction({
    run: (body: SpaceDraft) =>
      api.patch('/v1/knowledge/{spaceId}', {
        params: { path: { spaceId } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body
      }),
    changes: [['knowledge']],
    draft,
    done: 'The space is saved'
  })
  return (
    <Stack gap="xl" maw={760}>
      <Form action={saving} draft={draft} onSubmit={() => saving.mutate(draft.value)}>
        <Stack>
          <SpaceFields draft={draft.value} onChange={draft.set} />
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </Form>
      <Divider />
      <Removal spaceId={spaceId} name={name} />
    </Stack>
  )
}

function Removal({ spaceId, name }: { spaceId: string; name: string }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/knowledge/{spaceId}', { params: { path: { spaceId } } }),
    changes: [['knowledge', 'list']],
    done: 'The space is deleted',
    onDone: () => navigate('/knowledge')
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h5">
        Delete the space
      </Title>
      <Text size="sm" c="dimmed">
        All its folders and documents go with it, with all their versions.
      </Text>
      <ConfirmButton
        title={`Delete ${name}?`}
        warning="All folders, documents and versions in it are deleted, and agents that read it do so no more. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete space
      </ConfirmButton>
    </Stack>
  )
}
