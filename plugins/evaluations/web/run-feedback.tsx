import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, Loaded, useAction } from 'agent-platform/console'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import type { Thumb } from './queries.ts'
import { KEY } from './queries.ts'

interface Said {
  readonly thumb: Thumb | null
  readonly comment: string
  readonly datasetId: string | null
}

/** What the answer of a run was worth, to its owner. */
export default function RunFeedback({ runId }: { runId: string }) {
  const said = useQuery({
    queryKey: [...KEY, 'feedback', runId],
    async queryFn({ signal }): Promise<Said> {
      const query = { runId, limit: 1 }
      const [one] = (await api.get('/v1/evaluations/feedback', { params: { query }, signal })).data
      return { thumb: one?.thumb ?? null, comment: one?.comment ?? '', datasetId: one?.datasetId ?? null }
    }
  })
  return (
    <Loaded query={said}>
      {(said) => <RunFeedbackForm key={String(said.thumb)} runId={runId} said={said} />}
    </Loaded>
  )
}

function RunFeedbackForm({ runId, said }: { runId: string; said: Said }) {
  const [thumb, setThumb] = useState(said.thumb)
  const [comment, setComment] = useState(said.comment)
  const [datasetId, setDatasetId] = useState(said.datasetId)
  const datasets = useQuery({
    queryKey: [...KEY, 'datasets', 'names'],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/evaluations/datasets', { params: { query: { limit: 100 } }, signal })).data
  })
  const saving = useAction({
    run: (given: Thumb) =>
      api.put('/v1/agents/runs/{runId}/feedback', {
        params: { path: { runId } },
        body: { thumb: given, comment: comment.trim() || null, datasetId }
      }),
    changes: [KEY],
    done: 'Thank you. It is noted.'
  })
  const choice = (value: Thumb, label: string, Icon: typeof ThumbsUp) => (
    <Button
      variant={thumb === value ? 'filled' : 'default'}
      aria-pressed={thumb === value}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => setThumb(value)}
    >
      {label}
    </Button>
  )
  return (
    <Stack gap="sm" maw={560}>
      <Group gap="sm">
        {choice('up', 'Good', ThumbsUp)}
        {choice('down', 'Not good', ThumbsDown)}
      </Group>
      {thumb !== null && (
        <>
          <Textarea
            label="Comment"
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
            maxLength={2_000}
            autosize
            minRows={2}
          />
          <Select
            label="Into a dataset"
            description={
              thumb === 'up'
                ? 'What was asked becomes an item, with this answer as the expected one'
                : 'What was asked becomes an item; fill in there what the answer should have been'
            }
            placeholder="None"
            data={(datasets.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={datasetId}
            onChange={setDatasetId}
            clearable
          />
          <Group gap="sm">
            <Button onClick={() => saving.mutate(thumb)} loading={saving.isPending}>
              Save
            </Button>
            {said.thumb !== null && (
              <Text size="xs" c="dimmed">
                You said that it was {said.thumb === 'up' ? 'good' : 'not good'}.
              </Text>
            )}
          </Group>
        </>
      )}
    </Stack>
  )
}
