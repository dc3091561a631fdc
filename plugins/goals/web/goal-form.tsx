import { Button, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { api, CancelButton, Dialog, ErrorNotice, Form, useAction, useDraft } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

type Goal = Schemas['Goal']

interface Props {
  readonly agentId: string
  /** Left out for a new one. */
  readonly goal?: Goal | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const GoalForm = (props: Props) => (
  <Dialog
    opened={props.isOpen}
    onClose={props.onClose}
    title={props.goal ? 'Edit the goal' : 'New goal'}
    size="lg"
  >
    <Fields {...props} />
  </Dialog>
)

const fieldsOf = (goal: Goal | undefined) => ({
  title: goal?.title ?? '',
  description: goal?.description ?? '',
  progress: goal?.progress ?? 0,
  // Null: by the progress.
  status: goal?.status === 'abandoned' ? goal.status : (null as Goal['status'] | null)
})

function Fields({ agentId, goal, onClose }: Props) {
  const draft = useDraft(`goal ${goal?.id ?? `new ${agentId}`}`, goal, fieldsOf)
  const { title, description, progress, status } = draft.value
  const saving = useAction({
    async run() {
      const body = { title, description: description || null, progress, ...(status && { status }) }
      if (!goal) return api.post('/v1/goals', { body: { agentId, ...body } })
      return api.put('/v1/goals/{goalId}', {
        params: { path: { goalId: goal.id } },
        headers: { 'if-match': `"${draft.base?.version}"` },
        body
      })
    },
    changes: [['goals', agentId]],
    draft,
    onDone: onClose,
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack>
        <TextInput
          label="Title"
          value={title}
          onChange={({ currentTarget }) => draft.change({ title: currentTarget.value })}
          maxLength={200}
          required
          data-autofocus
        />
        <Textarea
          label="Description"
          description="Shown to the agent with the title."
          value={description}
          onChange={({ currentTarget }) => draft.change({ description: currentTarget.value })}
          maxLength={5_000}
          autosize
          minRows={2}
          maxRows={10}
        />
        <Group grow align="flex-start">
          <NumberInput
            label="Progress in per cent"
            min={0}
            max={100}
            allowDecimal={false}
            value={progress}
            onChange={(value) => draft.change({ progress: Number(value) || 0 })}
          />
          <Select
            label="Status"
            data={[
              { value: 'open', label: 'Open' },
              { value: 'done', label: 'Done' },
              { value: 'abandoned', label: 'Abandoned' }
            ]}
            placeholder="By the progress"
            value={status}
            onChange={(value) => draft.change({ status: value as Goal['status'] | null })}
            clearable
          />
        </Group>
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={saving.isPending}>
            {goal ? 'Save' : 'Create goal'}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
