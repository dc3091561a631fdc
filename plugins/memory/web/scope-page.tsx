import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Form,
  Loaded,
  PageFrame,
  useAction,
  useDraft
} from 'agent-platform/console'
import { useLocation, useParams } from 'wouter'
import type { SharedScope } from './queries.ts'
import { scopeQuery } from './queries.ts'
import type { ScopeDraft } from './scope-fields.tsx'
import { ScopeFields } from './scope-fields.tsx'

const crumbs = [{ label: 'Memories', to: '/memories' }]

export default function ScopePage() {
  const { scopeId = '' } = useParams()
  const scope = useQuery(scopeQuery(scopeId))
  return (
    <PageFrame
      title={scope.data?.name ?? 'Shared scope'}
      description={scope.data?.description}
      crumbs={crumbs}
    >
      {scope.error ? (
        <ErrorNotice error={scope.error} retry={() => scope.refetch()} />
      ) : (
        <Loaded query={scope}>
          {(scope) => (
            <Stack gap="xl" maw={640}>
              <ScopeForm key={scope.id} scope={scope} />
              <Divider />
              <Removal scope={scope} />
            </Stack>
          )}
        </Loaded>
      )}
    </PageFrame>
  )
}

function ScopeForm({ scope }: { scope: SharedScope }) {
  const scopeId = scope.id
  const draft = useDraft(
    `scope ${scopeId}`,
    scope,
    ({ name, description, agents }): ScopeDraft => ({ name, description, agents })
  )
  const saving = useAction({
    run: (body: ScopeDraft) =>
      api.patch('/v1/memory/shared-scopes/{scopeId}', {
        params: { path: { scopeId } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body
      }),
    changes: [['memory']],
    draft,
    done: 'The scope is saved'
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate(draft.value)}>
      <Stack>
        <ScopeFields draft={draft.value} onChange={draft.set} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function Removal({ scope: { id: scopeId, name } }: { scope: SharedScope }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/memory/shared-scopes/{scopeId}', { params: { path: { scopeId } } }),
    changes: [
      ['memory', 'list'],
      ['memory', 'scopes'],
      ['memory', 'stats']
    ],
    done: 'The scope is deleted',
    onDone: () => navigate('/memories')
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h5">
        Delete the scope
      </Title>
      <Text size="sm" c="dimmed">
        All that is remembered in it goes with it, for all its agents.
      </Text>
      <ConfirmButton
        title={`Delete ${name}?`}
        warning="All memories in it are deleted, for all agents that share it. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete scope
      </ConfirmButton>
    </Stack>
  )
}
