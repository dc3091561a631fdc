import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import { useState } from 'react'
import type { TaskDraft } from './task-draft.ts'
import { bodyOf, draftOf } from './task-draft.ts'
import { TaskFields } from './task-fields.tsx'

export const EditTask = (props: { task: Task; isOpen: boolean; onClose: () => void }) => (
  <Modal opened={props.isOpen} onClose={props.onClose} title="Edit the task" size="lg">
    <EditTaskForm key={props.task.version} task={props.task} onClose={props.onClose} />
  </Modal>
)

function EditTaskForm({ task, onClose }: { task: Task; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(task))
  const saving = useAction({
    run: (draft: TaskDraft) =>
      api.put('/v1/tasks/{id}', {
        params: { path: { id: task.id } },
        headers: { 'if-match': `"${task.version}"` },
        body: bodyOf(draft)
      }),
    changes: [['tasks']],
    done: 'The task is saved. It holds from the next run on.',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(draft)
      }}
    >
      <Stack>
        <TaskFields draft={draft} onChange={setDraft} />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
