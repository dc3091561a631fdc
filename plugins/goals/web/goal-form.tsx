import { Button, Group, Modal, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { api, ErrorNotice, useAction } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useState } from 'react'

type Goal = Schemas['Goal']

interface Props {
  readonly agentId: string
  /** Left out for a new one. */
  readonly goal?: Goal | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const GoalForm = (props: Props) => (
  <Modal
    opened={props.isOpen}
    onClose={props.onClose}
    title={props.goal ? 'Edit the goal' : 'New goal'}
    size="lg"
  >
    <Fields key={props.goal?.version} {...props} />
  </Modal>
)

function Fields({ agentId, goal, onClose }: Props) {
  const [title, setTitle] = useState(goal?.title ?? '')
  const [description, setDescription] = useState(goal?.description ?? '')
  const [progress, setProgress] = useState(goal?.progress ?? 0)
  // Left out: by the progress.
  const [status, setStatus] = useState<Goal['status'] | undefined>(
    goal?.status === 'abandoned' ? goal.status : undefined
  )
  const saving = useAction({
    async run() {
      const body = { title, description: description || null, progress, ...(status && { status }) }
      if (!goal) return api.post('/v1/goals', { body: { agentId, ...body } })
      return api.put('/v1/goals/{goalId}', {
        params: { path: { goalId: goal.id } },
        headers: { 'if-match': `"${goal.version}"` },
        body
      })
    },
    changes: [['goals', agentId]],
    onDone: onClose,
    isQuiet: true
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Title"
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          maxLength={200}
          required
          data-autofocus
        />
        <Textarea
          label="Description"
          description="Shown to the agent with the title."
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
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
            onChange={(value) => setProgress(Number(value) || 0)}
          />
          <Select
            label="Status"
            data={[
              { value: 'open', label: 'Open' },
              { value: 'done', label: 'Done' },
              { value: 'abandoned', label: 'Abandoned' }
            ]}
            placeholder="By the progress"
            value={status ?? null}
            onChange={(value) => setStatus((value as Goal['status'] | null) ?? undefined)}
            clearable
          />
        </Group>
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {goal ? 'Save' : 'Create goal'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
