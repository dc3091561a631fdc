import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { AgentLink, api, EmptyState, ListTable, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import { FlaskConical, GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { KEY } from './queries.ts'
import { credits, percent, seconds } from './words.ts'

const MOST = 5

/** The experiments of a dataset; some of them are chosen to be compared, the first chosen is the baseline. */
export function ExperimentList({ datasetId, onRun }: { datasetId: string; onRun: () => void }) {
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const list = useList(
    [...KEY, 'experiments', datasetId],
    (cursor, signal) =>
      api.get('/v1/evaluations/experiments', {
        params: { query: { limit: 50, cursor, datasetId } },
        signal
      }),
    { refresh: 5_000 }
  )
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((it) => it !== id) : [...chosen, id])
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          Choose two to five to see them side by side. The first is what the others are measured by.
        </Text>
        <Button
          variant="default"
          leftSection={<GitCompareArrows size={16} aria-hidden />}
          disabled={chosen.length < 2}
          onClick={() => navigate(`/evaluations/compare?ids=${chosen.join(',')}`)}
        >
          Compare{chosen.length > 0 ? ` (${chosen.length})` : ''}
        </Button>
      </Group>
      <ListTable
        label="Experiments"
        list={list}
        empty={
          <EmptyState
            icon={FlaskConical}
            title="No experiments yet"
            action={<Button onClick={onRun}>New experiment</Button>}
          >
            An experiment asks an agent all items, and scores what it answers.
          </EmptyState>
        }
        columns={[
          {
            header: 'Compare',
            cell: ({ id, name }) => (
              <Checkbox
                aria-label={`Compare ${name}`}
                checked={chosen.includes(id)}
                disabled={!chosen.includes(id) && chosen.length >= MOST}
                onChange={() => toggle(id)}
              />
            )
          },
          {
            header: 'Experiment',
            to: ({ id }) => `/evaluations/experiments/${id}`,
            cell: ({ name }) => name,
            note: ({ model }) => model && `${model.modelProvider} ${model.modelId ?? ''}`,
            maxWidth: 320
          },
          { header: 'Agent', cell: ({ agentId }) => <AgentLink agentId={agentId} /> },
          {
            header: 'Status',
            cell: ({ status, endedCount, itemCount }) =>
              status === 'running' ? (
                <Group gap={6} wrap="nowrap">
                  <StatusBadge status={status} />
                  <Text size="xs" c="dimmed">
                    {endedCount}/{itemCount}
                  </Text>
                </Group>
              ) : (
                <StatusBadge status={status} />
              )
          },
          { header: 'Passed', cell: ({ summary }) => percent(summary?.passRate), isNumber: true },
          { header: 'Score', cell: ({ summary }) => percent(summary?.score), isNumber: true },
          { header: 'Median', cell: ({ summary }) => seconds(summary?.latency.p50), isNumber: true },
          { header: 'Cost', cell: ({ summary }) => credits(summary?.cost), isNumber: true },
          { header: 'Began', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> }
        ]}
      />
    </Stack>
  )
}
