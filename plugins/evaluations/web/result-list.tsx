import { Anchor, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { api, ListTable, StatusBadge, useAddress, useList } from 'agent-platform/console'
import { Link } from 'wouter'
import { KEY } from './queries.ts'
import { ScoreBadges } from './score-badges.tsx'
import type { Experiment, Result } from './words.ts'
import { seconds } from './words.ts'

const outcomes = ['passed', 'not_passed', 'failed'] as const
const lines = { style: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } } as const
const SHOWN = 1_000

/** What came of each item. */
export function ResultList({ experiment: { id: experimentId, endedCount } }: { experiment: Experiment }) {
  const { search, change } = useAddress()
  const outcome = outcomes.find((it) => it === search.get('outcome'))
  const list = useList([...KEY, 'experiment', experimentId, 'results', outcome], (cursor, signal) =>
    api.get('/v1/evaluations/experiments/{experimentId}/results', {
      params: { path: { experimentId }, query: { limit: 50, cursor, outcome } },
      signal
    })
  )
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h5">
          Results
        </Title>
        <SegmentedControl
          aria-label="Which results"
          value={outcome ?? 'all'}
          onChange={(value) => change({ outcome: value === 'all' ? null : value })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'passed', label: 'Passed' },
            { value: 'not_passed', label: 'Not passed' },
            { value: 'failed', label: 'No answer' }
          ]}
        />
      </Group>
      <ListTable
        label="Results"
        list={list}
        empty={endedCount === 0 ? 'No item is over yet.' : 'There are none of these.'}
        minWidth={760}
        columns={[
          { header: 'Input', cell: ({ input }) => <Words text={input} />, maxWidth: 300 },
          {
            header: 'Expected',
            cell: ({ expected }) => expected && <Words text={expected} />,
            maxWidth: 240
          },
          { header: 'Answer', cell: (result) => <Answer result={result} />, maxWidth: 360 },
          { header: 'Scores', cell: (result) => <Outcome result={result} />, maxWidth: 220 },
          { header: 'Time', cell: ({ milliseconds }) => seconds(milliseconds), isNumber: true }
        ]}
      />
    </Stack>
  )
}

const Words = ({ text, color }: { text: string; color?: string }) => (
  <Text size="sm" lineClamp={5} c={color} {...lines}>
    {text.slice(0, SHOWN)}
  </Text>
)

function Answer({ result: { output, error, runId, status } }: { result: Result }) {
  const isBegun = runId !== null && status !== 'queued'
  return (
    <Stack gap={2}>
      {error ? <Words text={error.message} color="red" /> : output !== null && <Words text={output} />}
      {isBegun && (
        <Anchor component={Link} href={`/runs/${runId}`} size="xs">
          The run
        </Anchor>
      )}
    </Stack>
  )
}

/** Its scores, or how far it is. */
const Outcome = ({ result: { status, scores } }: { result: Result }) =>
  status === 'completed' ? <ScoreBadges scores={scores} /> : <StatusBadge status={status} />
