import { Button, Group, Stack } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
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
  const draft = useDraft('new skill', undefined, () => blank)
  const creating = useAction({
    run: (body: SkillDraft) => api.post('/v1/skills', { body }),
    changes: [['skills']],
    draft,
    onDone: ({ data }) => onCreated(data.id),
    isQuiet: true
  })
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New skill" size="xl">
      <Form action={creating} draft={draft} onSubmit={() => creating.mutate(draft.value)}>
        <Stack>
          <SkillFields draft={draft.value} onChange={draft.set} />
          {creating.error ? <ErrorNotice error={creating.error} /> : null}
          <Group justify="flex-end">
            <CancelButton onClick={onClose} />
            <Button type="submit" loading={creating.isPending}>
              Create skill
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
