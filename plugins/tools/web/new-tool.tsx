import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, SchemaForm, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { ToolDraft } from './tool-draft.ts'
import { toolForm, toolOf } from './tool-draft.ts'

const blank: ToolDraft = { method: 'GET' }

/** Makes a request to an HTTP service a tool. */
export function NewTool(props: { isOpen: boolean; onClose: () => void; onCreated: (name: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const [draft, setDraft] = useState(blank)
  const creating = useAction({
    run: () => api.post('/v1/tools', { body: toolOf(draft) }),
    changes: [['tools']],
    onDone({ data }) {
      setDraft(blank)
      onCreated(data.id)
    },
    isQuiet: true
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title="New HTTP tool" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate()
        }}
      >
        <Stack>
          <SchemaForm schema={toolForm} value={draft} onChange={setDraft} isFocused />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create tool
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
