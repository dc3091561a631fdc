import { Anchor, Button, Divider, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Form,
  Loaded,
  PageFrame,
  TimeAgo,
  useAction,
  useAgentNames,
  useDraft
} from 'agent-platform/console'
import { useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import type { MemoryDraft } from './memory-fields.tsx'
import { MemoryFields } from './memory-fields.tsx'
import { MemoryLine } from './memory-line.tsx'
import { Marks } from './memory-table.tsx'
import type { Memory } from './queries.ts'
import { memoryQuery, stateOf, types } from './queries.ts'

const crumbs = [{ label: 'Memories', to: '/memories' }]

/** A memory with its past, to be corrected, replaced or forgotten. */
export default function MemoryPage() {
  const { memoryId = '' } = useParams()
  const memory = useQuery(memoryQuery(memoryId))
  return (
    <PageFrame title="Memory" crumbs={crumbs}>
      {memory.error ? (
        <ErrorNotice error={memory.error} retry={() => memory.refetch()} />
      ) : (
        <Loaded query={memory}>
          {(memory) => (
            <Stack gap="xl" maw={760}>
              <Shown memory={memory} />
              <MemoryLine memory={memory} />
              <Divider />
              <ChangeForm key={memory.id} memory={memory} />
              <Divider />
              <Removal memory={memory} />
            </Stack>
          )}
        </Loaded>
      )}
    </PageFrame>
  )
}

function Shown({ memory }: { memory: Memory }) {
  const { content, type, agentId, importance, createdAt, source, scopeId } = memory
  const agents = useAgentNames([agentId])
  return (
    <Stack gap="xs">
      <Text size="lg" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {content}
      </Text>
      <Marks memory={memory} />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {types[type]} of{' '}
        <Anchor component={Link} href={`/agents/${agentId}/memories`} size="sm" underline="always">
          {agents.get(agentId) ?? agentId}
        </Anchor>
        , importance {Math.round(importance * 100)} %, learned <TimeAgo at={createdAt} />
        {source && (
          <>
            {' '}
            in{' '}
            <Anchor component={Link} href={`/runs/${source.runId}`} size="sm" underline="always">
              a run
            </Anchor>
          </>
        )}
        {scopeId && (
          <>
            , in{' '}
            <Anchor component={Link} href={`/memories/scopes/${scopeId}`} size="sm" underline="always">
              a shared scope
            </Anchor>
          </>
        )}
      </Text>
    </Stack>
  )
}

const ways = {
  correct: 'It was never otherwise: the past shows the new text, too.',
  replace: 'Something has changed: this one ends now and is kept, and the new one begins.'
}

function ChangeForm({ memory }: { memory: Memory }) {
  const [, navigate] = useLocation()
  const { id: memoryId, agentId, scopeId } = memory
  const draft = useDraft(
    `memory ${memoryId}`,
    memory,
    ({ type, content, importance }): MemoryDraft => ({ type, content, importance })
  )
  const canReplace = stateOf(memory) === 'current'
  const [way, setWay] = useState<keyof typeof ways>('correct')
  const saving = useAction({
    run: () =>
      way === 'correct'
        ? api.patch('/v1/memory/{memoryId}', {
            params: { path: { memoryId } },
            headers: { 'if-match': `"${draft.base.version}"` },
            body: draft.value
          })
        : api.post('/v1/memory', { body: { ...draft.value, agentId, scopeId, supersedes: memoryId } }),
    changes: [['memory']],
    draft,
    done: way === 'correct' ? 'The memory is corrected' : 'A new memory has taken its place',
    onDone({ data }) {
      if (data.id !== memoryId) navigate(`/memories/${data.id}`)
    },
    isQuiet: true
  })
  return (
    <Form action={saving} draft={draft} onSubmit={() => saving.mutate()}>
      <Stack>
        <Title order={2} size="h5">
          Change it
        </Title>
        {canReplace && (
          <div>
            <SegmentedControl
              aria-label="How it is changed"
              data={[
                { value: 'correct', label: 'Correct' },
                { value: 'replace', label: 'Replace' }
              ]}
              value={way}
              onChange={(next) => setWay(next as keyof typeof ways)}
            />
          </div>
        )}
        <Text size="sm" c="dimmed">
          {ways[way]}
        </Text>
        <MemoryFields draft={draft.value} onChange={draft.set} />
        {saving.error ? <ErrorNotice error={saving.error} /> : null}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {way === 'correct' ? 'Correct it' : 'Replace it'}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

function Removal({ memory: { id: memoryId, agentId } }: { memory: Memory }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/memory/{memoryId}', { params: { path: { memoryId } } }),
    changes: [
      ['memory', 'list'],
      ['memory', 'stats']
    ],
    done: 'It is forgotten',
    onDone: () => navigate(`/memories?agent=${agentId}`)
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h5">
        Forget it
      </Title>
      <Text size="sm" c="dimmed">
        Nothing of this memory is left. What it took the place of stays in the past.
      </Text>
      <ConfirmButton
        title="Forget this memory?"
        warning="It is deleted, and the past does not show it any more. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Forget
      </ConfirmButton>
    </Stack>
  )
}
