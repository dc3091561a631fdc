import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'

const blank = { name: '', description: '', isPublic: false }

export function NewSpace(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const [draft, setDraft] = useState(blank)
  const creating = useAction({
    run: ({ name, description, isPublic }: typeof blank) =>
      api.post('/v1/spaces', {
        body: {
          name: name.trim(),
          description: description || null,
          visibility: isPublic ? 'public' : 'private'
        }
      }),
    changes: [['spaces', 'list']],
    onDone({ data }) {
      setDraft(blank)
      onCreated(data.id)
    },
    isQuiet: true
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title="New space" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate(draft)
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={200}
            data-autofocus
            value={draft.name}
            onChange={({ currentTarget: { value: name } }) => setDraft({ ...draft, name })}
          />
          <Textarea
            label="Description"
            maxLength={5_000}
            autosize
            value={draft.description}
            onChange={({ currentTarget: { value: description } }) => setDraft({ ...draft, description })}
          />
          <Checkbox
            label="Everyone in the project may find and join it"
            checked={draft.isPublic}
            onChange={({ currentTarget: { checked: isPublic } }) => setDraft({ ...draft, isPublic })}
          />
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
