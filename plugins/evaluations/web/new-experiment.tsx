import { Button, Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core'
import { AgentSelect, api, CancelButton, Dialog, ErrorNotice, Form, useAction } from 'agent-platform/console'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { KEY } from './queries.ts'
import type { ScorerDraft } from './scorer-fields.tsx'
import { blankScorer, ScorerFields, scorerOf } from './scorer-fields.tsx'
import type { Dataset, Scorer } from './words.ts'

const MOST = 10

export function NewExperiment(props: { dataset: Dataset; isOpen: boolean; onClose: () => void }) {
  const { dataset, isOpen, onClose } = props
  return (
    <Dialog opened={isOpen} onClose={onClose} title="New experiment" size="lg">
      <NewExperimentForm dataset={dataset} onClose={onClose} />
    </Dialog>
  )
}

/** Two of the same type get numbers. */
function scorersOf(drafts: readonly ScorerDraft[]): Scorer[] {
  const seen = new Map<string, number>()
  return drafts.map((draft) => {
    const count = (seen.get(draft.type) ?? 0) + 1
    seen.set(draft.type, count)
    return scorerOf(draft, count === 1 ? draft.type : `${draft.type} ${count}`)
  })
}

function NewExperimentForm({
  dataset: { id: datasetId, itemCount },
  onClose
}: {
  dataset: Dataset
  onClose: () => void
}) {
  const [, navigate] = useLocation()
  const [agentId, setAgentId] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [instructions, setInstructions] = useState('')
  const [concurrency, setConcurrency] = useState(3)
  const [drafts, setDrafts] = useState<readonly ScorerDraft[]>([blankScorer(0)])
  const creating = useAction({
    run: async () =>
      api.post('/v1/evaluations/experiments', {
        body: {
          datasetId,
          agentId: agentId ?? '',
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
          concurrency,
          scorers: scorersOf(drafts)
        }
      }),
    changes: [[...KEY, 'experiments']],
    onDone: ({ data }) => navigate(`/evaluations/experiments/${data.id}`),
    isQuiet: true
  })
  const change = (key: number, changes: Partial<ScorerDraft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changes } : draft)))
  const isComplete = drafts.every(
    ({ type, rubric, app, function: name }) =>
      (type !== 'judge' || rubric.trim() !== '') && (type !== 'app_function' || (app !== '' && name !== ''))
  )
  return (
    <Form action={creating} onSubmit={() => creating.mutate()}>
      <Stack>
        <AgentSelect
          description="As it is now; while the experiment is under way, leave it as it is"
          value={agentId}
          onChange={setAgentId}
          required
        />
        <TextInput
          label="Name"
          placeholder="That of the dataset and the agent"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={200}
        />
        {drafts.map((draft) => (
          <ScorerFields
            key={draft.key}
            draft={draft}
            onChange={(changes) => change(draft.key, changes)}
            onRemove={
              drafts.length > 1 ? () => setDrafts(drafts.filter(({ key }) => key !== draft.key)) : undefined
            }
          />
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          disabled={drafts.length >= MOST}
          onClick={() => setDrafts([...drafts, blankScorer(Math.max(...drafts.map(({ key }) => key)) + 1)])}
        >
          Add a scorer
        </Button>
        <Textarea
          label="More instructions"
          description="Behind those of the agent, for this experiment alone: to try out a change"
          value={instructions}
          onChange={({ currentTarget }) => setInstructions(currentTarget.value)}
          maxLength={32_000}
          autosize
          minRows={2}
          maxRows={8}
        />
        <NumberInput
          label="Items at a time"
          min={1}
          max={10}
          value={concurrency}
          onChange={(value) => setConcurrency(Math.min(10, Math.max(1, Number(value) || 1)))}
          maw={160}
        />
        {creating.error ? <ErrorNotice error={creating.error} /> : null}
        <Group justify="flex-end">
          <CancelButton onClick={onClose} />
          <Button type="submit" loading={creating.isPending} disabled={!agentId || !isComplete}>
            Run {itemCount} {itemCount === 1 ? 'item' : 'items'}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
