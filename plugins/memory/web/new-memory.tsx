import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { MemoryDraft } from './memory-fields.tsx'
import { MemoryFields } from './memory-fields.tsx'

interface Props {
  readonly agentId: string
  readonly scopes: readonly { readonly id: string; readonly name: string; readonly access: string }[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

const blank: MemoryDraft = { type: 'fact', content: '', importance: 0.5 }

export function NewMemory({ agentId, scopes, isOpen, onClose }: Props) {
  const [draft, setDraft] = useState(blank)
  const [scopeId, setScopeId] = useState<string | null>(null)
  const writable = scopes.filter(({ access }) => access === 'write')
  const creating = useAction({
    run: () => api.post('/v1/memory', { body: { ...draft, agentId, scopeId } }),
    changes: [['memory']],
    done: 'It is remembered',
    onDone() {
      setDraft(blank)
      onClose()
    },
    isQuiet: true
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="New memory"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate()
        }}
      >
        <Stack>
          <MemoryFields draft={draft} onChange={setDraft} />
          {writable.length > 0 && (
            <Select
              label="Known to"
              placeholder="This agent alone"
              data={writable.map(({ id, name }) => ({ value: id, label: `Agents of the scope ${name}` }))}
              value={scopeId}
              onChange={setScopeId}
              clearable
            />
          )}
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Remember
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
