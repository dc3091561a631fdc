import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { Definition } from './definition.ts'

/** A definition has a step at least: this one gives what it is given. */
const first: Definition = {
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  steps: [{ id: 'begin', type: 'transform', config: { value: '{{ input.text }}' } }]
}

export function NewWorkflow(props: {
  isOpen: boolean
  onClose: () => void
  onCreated: (id: string) => void
}) {
  const { isOpen, onClose, onCreated } = props
  const draft = useDraft('new workflow', undefined, () => ({ name: '', description: '' }))
  const { name, description } = draft.value
  const creating = useAction({
    run: () =>
      api.post('/v1/workflows', {
        body: { name, description: description || null, definition: first }
      }),
    changes: [['workflows', 'list']],
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New workflow" size="lg">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate()}>
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => draft.change({ name: currentTarget.value })}
            maxLength={200}
            required
            data-autofocus
          />
          <Textarea
            label="Description"
            value={description}
            onChange={({ currentTarget }) => draft.change({ description: currentTarget.value })}
            maxLength={5_000}
            autosize
            minRows={2}
            maxRows={8}
          />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Create workflow
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
