import { Button, Group, Stack } from '@mantine/core'
import {
  api,
  CancelButton,
  Dialog,
  ErrorNotice,
  Form,
  SchemaForm,
  useAction,
  useDraft
} from 'agent-platform/console'
import type { ToolDraft } from './tool-draft.ts'
import { toolForm, toolOf } from './tool-draft.ts'

const blank: ToolDraft = { method: 'GET' }

/** Makes a request to an HTTP service a tool. */
export function NewTool(props: { isOpen: boolean; onClose: () => void; onCreated: (name: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const draft = useDraft('new tool', undefined, () => blank, { hasSecrets: true })
  const creating = useAction({
    run: () => api.post('/v1/tools', { body: toolOf(draft.value) }),
    changes: [['tools']],
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New HTTP tool" size="lg">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate()}>
        <Stack>
          <SchemaForm schema={toolForm} value={draft.value} onChange={draft.set} isFocused />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Create tool
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
