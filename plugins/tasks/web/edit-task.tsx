import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'
import type { TaskDraft } from './task-draft.ts'
import { bodyOf, draftOf } from './task-draft.ts'
import { TaskFields } from './task-fields.tsx'

export const EditTask = (props: { task: Task; isOpen: boolean; onClose: () => void }) => (
  <Dialog opened={props.isOpen} onClose={props.onClose} title="Edit the task" size="lg">
    <EditTaskForm task={props.task} onClose={props.onClose} />
  </Dialog>
)

function EditTaskForm({ task, onClose }: { task: Task; onClose: () => void }) {
  const draft = useDraft(`task ${task.id}`, task, draftOf)
  const saving = useAction({
    run: (value: TaskDraft) =>
      api.put('/v1/tasks/{id}', {
        params: { path: { id: task.id } },
        headers: { 'if-match': `"${draft.base.version}"` },
        body: bodyOf(value)
      }),
    changes: [['tasks']],
    draft,
    done: 'The task is saved. It holds from the next run on.',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate(draft.value)}>
      <Stack>
        <TaskFields draft={draft.value} onChange={draft.set} />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
