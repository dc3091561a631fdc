import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { AgentDraft } from './agent-fields.tsx'
import { AgentFields } from './agent-fields.tsx'

const blank: AgentDraft = {
  name: '',
  instructions: null,
  modelProvider: null,
  modelId: null,
  temperature: null,
  maxTokens: null,
  options: null
}

export function NewAgent(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const draft = useDraft('new agent', undefined, () => blank)
  const creating = useAction({
    run: (body: AgentDraft) => api.post('/v1/agents', { body }),
    changes: [['agents', 'list']],
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New agent" size="lg">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate(draft.value)}>
        <Stack>
          <AgentFields draft={draft.value} onChange={draft.set} />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Create agent
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
