import { Button, Group, Modal, Stack } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { SkillDraft } from './skill-fields.tsx'
import { SkillFields } from './skill-fields.tsx'

const blank: SkillDraft = {
  name: '',
  description: '',
  instructions: '',
  license: null,
  compatibility: null,
  allowedTools: []
}

export function NewSkill(props: { isOpen: boolean; onClose: () => void; onCreated: (id: string) => void }) {
  const { isOpen, onClose, onCreated } = props
  const [draft, setDraft] = useState(blank)
  const creating = useAction({
    run: (body: SkillDraft) => api.post('/v1/skills', { body }),
    changes: [['skills']],
    onDone({ data }) {
      setDraft(blank)
      onCreated(data.id)
    },
    isQuiet: true
  })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="New skill"
      size="xl"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          creating.mutate(draft)
        }}
      >
        <Stack>
          <SkillFields draft={draft} onChange={setDraft} />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={creating.isPending}>
              Create skill
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
