import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'

const blank = { name: '', description: '', isPublic: false }

export function NewSpace(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const draft = useDraft('new space', undefined, () => blank)
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
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New space">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate(draft.value)}>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={200}
            data-autofocus
            value={draft.value.name}
            onChange={({ currentTarget: { value: name } }) => draft.change({ name })}
          />
          <Textarea
            label="Description"
            maxLength={5_000}
            autosize
            value={draft.value.description}
            onChange={({ currentTarget: { value: description } }) => draft.change({ description })}
          />
          <Checkbox
            label="Everyone in the project may find and join it"
            checked={draft.value.isPublic}
            onChange={({ currentTarget: { checked: isPublic } }) => draft.change({ isPublic })}
          />
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
