import { Anchor, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  AgentLink,
  api,
  ConfirmButton,
  DataTable,
  Details,
  ErrorNotice,
  Loaded,
  PageFrame,
  Panel,
  StatusBadge,
  TimeAgo,
  useAction
} from 'agent-platform/console'
import { Link, useLocation, useParams } from 'wouter'
import { experimentQuery, KEY, useLive } from './queries.ts'
import { ResultList } from './result-list.tsx'
import type { Experiment } from './words.ts'
import { credits, percent, seconds } from './words.ts'

export default function ExperimentPage() {
  const { experimentId = '' } = useParams()
  const experiment = useQuery(experimentQuery(experimentId))
  useLive(experimentId, experiment.data?.status === 'running')
  const datasetId = experiment.data?.datasetId
  const crumbs = [
    { label: 'Evaluations', to: '/evaluations' },
    ...(datasetId ? [{ label: 'Experiments', to: `/evaluations/datasets/${datasetId}/experiments` }] : [])
  ]
  if (experiment.error)
    return (
      <PageFrame title="Experiment" crumbs={crumbs}>
        <ErrorNotice error={experiment.error} retry={() => experiment.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={experiment.data?.name ?? 'Experiment'}
      crumbs={crumbs}
      badge={experiment.data && <StatusBadge status={experiment.data.status} />}
      actions={experiment.data && <Actions experiment={experiment.data} />}
    >
      <Loaded query={experiment}>
        {(experiment) => (
          <Stack gap="xl">
            <Overview experiment={experiment} />
            <ResultList experiment={experiment} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Overview({ experiment }: { experiment: Experiment }) {
  const { status, itemCount, endedCount, error, summary, agentId, agentVersion, instructions } = experiment
  const { model, createdAt, datasetId } = experiment
  return (
    <Stack gap="md">
      {error && (
        <Text size="sm" c="red">
          {error.message}
        </Text>
      )}
      {status === 'running' && (
        <Stack gap={4}>
          <Progress.Root size="lg" radius="xl">
            <Progress.Section
              value={(endedCount / itemCount) * 100}
              aria-label={`${endedCount} of ${itemCount} items`}
              animated
            />
          </Progress.Root>
          <Text size="xs" c="dimmed" aria-live="polite">
            {endedCount} of {itemCount} items are over
          </Text>
        </Stack>
      )}
      {summary && (
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
          <Figure label="Passed" value={percent(summary.passRate)} note={`${summary.passed} items`} />
          <Figure label="Score" value={percent(summary.score)} note="Mean" />
          <Figure
            label="Without an answer"
            value={String(summary.failed)}
            note={`of ${itemCount} items`}
            isBad={summary.failed > 0}
          />
          <Figure label="Median" value={seconds(summary.latency.p50)} note="to answer" />
          <Figure label="Slowest" value={seconds(summary.latency.p95)} note="95th percentile" />
          <Figure
            label="Cost"
            value={credits(summary.cost)}
            note={`${(summary.usage.inputTokens + summary.usage.outputTokens).toLocaleString('en')} tokens`}
          />
        </SimpleGrid>
      )}
      <Panel title="What is tried">
        <Stack gap="md">
          <Details
            of={{
              Agent: <AgentLink agentId={agentId} />,
              'Its version': agentVersion,
              Dataset: (
                <Anchor component={Link} href={`/evaluations/datasets/${datasetId}`} size="sm">
                  {itemCount} {itemCount === 1 ? 'item' : 'items'}
                </Anchor>
              ),
              Began: <TimeAgo at={createdAt} />,
              Model: model ? `${model.modelProvider} ${model.modelId ?? ''}` : undefined,
              Instructions: instructions ?? undefined
            }}
          />
          {summary && (
            <DataTable
              label="Scorers"
              minWidth={420}
              keyOf={({ scorer }) => scorer}
              rows={summary.scorers}
              columns={[
                { header: 'Scorer', cell: ({ scorer }) => scorer },
                { header: 'Passed', cell: ({ passRate }) => percent(passRate), isNumber: true },
                { header: 'Score', cell: ({ score }) => percent(score), isNumber: true },
                { header: 'Scored', cell: ({ scored }) => scored, isNumber: true }
              ]}
            />
          )}
        </Stack>
      </Panel>
    </Stack>
  )
}

function Figure(props: { label: string; value: string; note: string; isBad?: boolean }) {
  const { label, value, note, isBad } = props
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650} c={isBad ? 'red' : undefined} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Stack>
  )
}

function Actions({ experiment: { id: experimentId, status, datasetId } }: { experiment: Experiment }) {
  const [, navigate] = useLocation()
  const params = { path: { experimentId } }
  const cancelling = useAction({
    run: () => api.post('/v1/evaluations/experiments/{experimentId}/cancel', { params }),
    changes: [KEY],
    done: 'The experiment is cancelled'
  })
  const removing = useAction({
    run: () => api.delete('/v1/evaluations/experiments/{experimentId}', { params }),
    changes: [[...KEY, 'experiments']],
    done: 'The experiment is deleted',
    onDone: () => navigate(`/evaluations/datasets/${datasetId}/experiments`)
  })
  return (
    <Group gap="sm">
      {status === 'running' ? (
        <Button variant="default" onClick={() => cancelling.mutate()} loading={cancelling.isPending}>
          Cancel
        </Button>
      ) : (
        <ConfirmButton
          title="Delete this experiment?"
          warning="Its results and the sessions of its runs go with it. This cannot be undone."
          onClick={() => removing.mutate()}
          loading={removing.isPending}
        >
          Delete
        </ConfirmButton>
      )}
    </Group>
  )
}
