import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { SpaceDraft } from './space-fields.tsx'
import { SpaceFields } from './space-fields.tsx'

const blank: SpaceDraft = { name: '', description: null, provider: 'embedded' }

export function NewSpace(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const [draft, setDraft] = useState(blank)
  const creating = useAction({
    run: (body: SpaceDraft) => api.post('/v1/knowledge', { body }),
    changes: [['knowledge', 'list']],
    onDone({ data }) {
      setDraft(blank)
      onCreated(data.id)
    },
    isQuiet: true
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="New space"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate(draft)
        }}
      >
        <Stack>
          <SpaceFields draft={draft} onChange={setDraft} />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create space
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
