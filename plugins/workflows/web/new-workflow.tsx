import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
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
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const creating = useAction({
    run: () =>
      api.post('/v1/workflows', {
        body: { name, description: description || null, definition: first }
      }),
    changes: [['workflows', 'list']],
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title="New workflow" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate()
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={200}
            required
            data-autofocus
          />
          <Textarea
            label="Description"
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            maxLength={5_000}
            autosize
            minRows={2}
            maxRows={8}
          />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create workflow
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
