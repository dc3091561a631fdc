import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { SpaceDraft } from './space-fields.tsx'
import { SpaceFields } from './space-fields.tsx'

const blank: SpaceDraft = { name: '', description: null, provider: 'embedded' }

export function NewSpace(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const draft = useDraft('new knowledge space', undefined, () => blank)
  const creating = useAction({
    run: (body: SpaceDraft) => api.post('/v1/knowledge', { body }),
    changes: [['knowledge', 'list']],
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New space" size="lg">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate(draft.value)}>
        <Stack>
          <SpaceFields draft={draft.value} onChange={draft.set} />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Create space
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
