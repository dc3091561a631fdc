import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { AgentDraft } from './agent-fields.tsx'
import { AgentFields } from './agent-fields.tsx'

const blank: AgentDraft = { name: '', instructions: null, modelProvider: null, modelId: null }

export function NewAgent(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const [draft, setDraft] = useState(blank)
  const creating = useAction({
    run: (body: AgentDraft) => api.post('/v1/agents', { body }),
    changes: [['agents', 'list']],
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title="New agent" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate(draft)
        }}
      >
        <Stack>
          <AgentFields draft={draft} onChange={setDraft} />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create agent
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
