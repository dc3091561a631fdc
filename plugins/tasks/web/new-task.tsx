import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { TaskDraft } from './task-draft.ts'
import { blankDraft, bodyOf } from './task-draft.ts'
import { TaskFields } from './task-fields.tsx'

interface Props {
  readonly isOpen: boolean
  /** Chosen from the start. */
  readonly agentId: string | null
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

export const NewTask = ({ isOpen, onClose, ...props }: Props) => (
  <Modal opened={isOpen} onClose={onClose} title="New task" size="lg">
    <NewTaskForm {...props} onClose={onClose} />
  </Modal>
)

function NewTaskForm({ agentId, onClose, onCreated }: Omit<Props, 'isOpen'>) {
  const [draft, setDraft] = useState(() => blankDraft(agentId))
  const creating = useAction({
    run: (draft: TaskDraft) => api.post('/v1/tasks', { body: bodyOf(draft) }),
    changes: [['tasks']],
    onDone: ({ data }) => onCreated(data.id),
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
        <TaskFields draft={draft} onChange={setDraft} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.isPending}>
            Create task
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
