import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import { useLocation } from 'wouter'
import type { ScopeDraft } from './scope-fields.tsx'
import { ScopeFields } from './scope-fields.tsx'

interface Props {
  /** Is in it from the beginning. */
  readonly agentId: string | null
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function NewScope({ agentId, isOpen, onClose }: Props) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New shared scope" size="lg">
      <ScopeForm agentId={agentId} onClose={onClose} />
    </Dialog>
  )
}

function ScopeForm({ agentId, onClose }: Omit<Props, 'isOpen'>) {
  const [, navigate] = useLocation()
  const draft = useDraft(
    `new scope ${agentId ?? ''}`,
    agentId,
    (agentId): ScopeDraft => ({
      name: '',
      description: null,
      agents: agentId ? [{ agentId, access: 'write' }] : []
    })
  )
  const creating = useAction({
    run: (body: ScopeDraft) => api.post('/v1/memory/shared-scopes', { body }),
    changes: [['memory', 'scopes']],
    draft,
    onDone: ({ data }) => navigate(`/memories/scopes/${data.id}`),
    isQuiet: true
  })
  return (
    <Form action={creating} draft={draft} onSubmit={() => creating.mutate(draft.value)}>
      <Stack>
        <ScopeFields draft={draft.value} onChange={draft.set} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending}>
            Create scope
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
