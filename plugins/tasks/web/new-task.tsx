import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
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
  <Dialog opened={isOpen} onClose={onClose} title="New task" size="lg">
    <NewTaskForm {...props} onClose={onClose} />
  </Dialog>
)

function NewTaskForm({ agentId, onClose, onCreated }: Omit<Props, 'isOpen'>) {
  const draft = useDraft(`new task ${agentId ?? ''}`, agentId, blankDraft)
  const creating = useAction({
    run: (draft: TaskDraft) => api.post('/v1/tasks', { body: bodyOf(draft) }),
    changes: [['tasks']],
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Form action={creating} draft={draft} onSubmit={() => creating.mutate(draft.value)}>
      <Stack>
        <TaskFields draft={draft.value} onChange={draft.set} />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending}>
            Create task
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
