import { Badge, Group, SegmentedControl, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  DataTable,
  ListView,
  Loaded,
  PageFrame,
  Panel,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { ComparedItem } from './compared-item.tsx'
import { KEY } from './queries.ts'
import { colorOf, credits, percent, seconds, signed } from './words.ts'

type Compared = Schemas['ExperimentComparison']['experiments'][number]

/** Experiments of one dataset, side by side. */
export default function ComparisonPage() {
  const { search } = useAddress()
  const ids = search.get('ids') ?? ''
  const comparison = useQuery({
    queryKey: [...KEY, 'compare', ids],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/evaluations/compare', { params: { query: { ids } }, signal })).data.experiments
  })
  const datasetId = comparison.data?.[0]?.experiment.datasetId
  const crumbs = [
    { label: 'Evaluations', to: '/evaluations' },
    ...(datasetId ? [{ label: 'Experiments', to: `/evaluations/datasets/${datasetId}/experiments` }] : [])
  ]
  return (
    <PageFrame
      title="Comparison"
      description="The first experiment is the baseline; differences are in per cent points."
      crumbs={crumbs}
    >
      <Loaded query={comparison}>
        {(compared) => (
          <Stack gap="xl">
            <Sums compared={compared} />
            <Items compared={compared} ids={ids} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** A value, and how far it is from the baseline's where there is one. */
const With = ({ value, difference }: { value: string; difference: number | null | undefined }) => (
  <>
    {value}
    {typeof difference === 'number' && (
      <Badge size="sm" ml={6} variant="light" tt="none" color={colorOf(difference)}>
        {signed(difference)}
      </Badge>
    )}
  </>
)

function Sums({ compared }: { compared: readonly Compared[] }) {
  const [baseline] = compared
  const scorers = [...new Set(compared.flatMap((it) => it.scorers.map(({ scorer }) => scorer)))]
  const isFirst = (it: Compared) => it === baseline
  return (
    <Panel title="What each comes to">
      <DataTable
        label="Experiments"
        rows={compared}
        keyOf={({ experiment }) => experiment.id}
        columns={[
          {
            header: 'Experiment',
            to: ({ experiment }) => `/evaluations/experiments/${experiment.id}`,
            cell: ({ experiment }) => experiment.name,
            note: (it) =>
              isFirst(it) ? 'Baseline' : `${it.improved} better, ${it.regressed} worse, ${it.same} same`,
            maxWidth: 300
          },
          {
            header: 'Passed',
            isNumber: true,
            cell: (it) => (
              <With
                value={percent(it.experiment.summary?.passRate)}
                difference={isFirst(it) ? undefined : it.passRate}
              />
            )
          },
          {
            header: 'Score',
            isNumber: true,
            cell: (it) => (
              <With
                value={percent(it.experiment.summary?.score)}
                difference={isFirst(it) ? undefined : it.score}
              />
            )
          },
          ...scorers.map((name) => ({
            header: name,
            isNumber: true,
            cell: (it: Compared) => (
              <With
                value={percent(it.experiment.summary?.scorers.find(({ scorer }) => scorer === name)?.score)}
                difference={isFirst(it) ? undefined : it.scorers.find(({ scorer }) => scorer === name)?.score}
              />
            )
          })),
          {
            header: 'Median',
            isNumber: true,
            cell: ({ experiment }) => seconds(experiment.summary?.latency.p50)
          },
          { header: 'Cost', isNumber: true, cell: ({ experiment }) => credits(experiment.summary?.cost) }
        ]}
      />
    </Panel>
  )
}

function Items({ compared, ids }: { compared: readonly Compared[]; ids: string }) {
  const { search, change } = useAddress()
  const only = (['improved', 'regressed'] as const).find((it) => it === search.get('change'))
  const list = useList([...KEY, 'compare', ids, 'items', only], (cursor, signal) =>
    api.get('/v1/evaluations/compare/items', {
      params: { query: { ids, limit: 20, cursor, change: only } },
      signal
    })
  )
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h5">
          Item by item
        </Title>
        <SegmentedControl
          aria-label="Which items"
          value={only ?? 'all'}
          onChange={(value) => change({ change: value === 'all' ? null : value })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'improved', label: 'Better' },
            { value: 'regressed', label: 'Worse' }
          ]}
        />
      </Group>
      <ListView list={list} empty="There are none of these.">
        {(rows) => (
          <Stack gap="md">
            {rows.map((item) => (
              <ComparedItem
                key={item.id}
                item={item}
                names={compared.map(({ experiment }) => experiment.name)}
              />
            ))}
          </Stack>
        )}
      </ListView>
    </Stack>
  )
}
