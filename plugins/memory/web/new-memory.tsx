import { Button, Group, Select, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { MemoryDraft } from './memory-fields.tsx'
import { MemoryFields } from './memory-fields.tsx'

interface Props {
  readonly agentId: string
  readonly scopes: readonly { readonly id: string; readonly name: string; readonly access: string }[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

interface Draft extends MemoryDraft {
  readonly scopeId: string | null
}
const blank: Draft = { type: 'fact', content: '', importance: 0.5, scopeId: null }

export function NewMemory({ agentId, scopes, isOpen, onClose }: Props) {
  const draft = useDraft(`new memory ${agentId}`, undefined, () => blank)
  const { scopeId } = draft.value
  const writable = scopes.filter(({ access }) => access === 'write')
  const creating = useAction({
    run: () => api.post('/v1/memory', { body: { ...draft.value, agentId } }),
    changes: [['memory']],
    draft,
    done: 'It is remembered',
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New memory" size="lg">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate()}>
        <Stack>
          <MemoryFields draft={draft.value} onChange={draft.change} />
          {writable.length > 0 && (
            <Select
              label="Known to"
              placeholder="This agent alone"
              data={writable.map(({ id, name }) => ({ value: id, label: `Agents of the scope ${name}` }))}
              value={scopeId}
              onChange={(scopeId) => draft.change({ scopeId })}
              clearable
            />
          )}
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Remember
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
