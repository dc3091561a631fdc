import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
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
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="New shared scope"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ScopeForm agentId={agentId} onClose={onClose} />
    </Modal>
  )
}

function ScopeForm({ agentId, onClose }: Omit<Props, 'isOpen'>) {
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState<ScopeDraft>({
    name: '',
    description: null,
    agents: agentId ? [{ agentId, access: 'write' }] : []
  })
  const creating = useAction({
    run: (body: ScopeDraft) => api.post('/v1/memory/shared-scopes', { body }),
    changes: [['memory', 'scopes']],
    onDone: ({ data }) => navigate(`/memories/scopes/${data.id}`),
    isQuiet: true
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        creating.mutate(draft)
      }}
    >
      <Stack>
        <ScopeFields draft={draft} onChange={setDraft} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.isPending}>
            Create scope
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
