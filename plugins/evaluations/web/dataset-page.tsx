import { Button, Group, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  api,
  ConfirmButton,
  ErrorNotice,
  Loaded,
  PageFrame,
  useAction,
  useAddress
} from 'agent-platform/console'
import { FlaskConical } from 'lucide-react'
import { useLocation, useParams } from 'wouter'
import { DatasetItems } from './dataset-items.tsx'
import { ExperimentList } from './experiment-list.tsx'
import { NewExperiment } from './new-experiment.tsx'
import { datasetQuery, KEY } from './queries.ts'
import type { Dataset } from './words.ts'

const crumbs = [{ label: 'Evaluations', to: '/evaluations' }]

export default function DatasetPage() {
  const { datasetId = '', tab = 'items' } = useParams()
  const [, navigate] = useLocation()
  const { search, change } = useAddress()
  const dataset = useQuery(datasetQuery(datasetId))
  if (dataset.error)
    return (
      <PageFrame title="Dataset" crumbs={crumbs}>
        <ErrorNotice error={dataset.error} retry={() => dataset.refetch()} />
      </PageFrame>
    )
  return (
    <PageFrame
      title={dataset.data?.name ?? 'Dataset'}
      description={dataset.data?.description ?? undefined}
      crumbs={crumbs}
      actions={dataset.data && <Actions dataset={dataset.data} onRun={() => change({ run: '1' })} />}
    >
      <Loaded query={dataset}>
        {(dataset) => (
          <>
            <Tabs
              value={tab}
              onChange={(key) => navigate(`/evaluations/datasets/${datasetId}/${key}`)}
              keepMounted={false}
            >
              <Tabs.List mb="lg">
                <Tabs.Tab value="items">Items ({dataset.itemCount})</Tabs.Tab>
                <Tabs.Tab value="experiments">Experiments</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="items">
                <DatasetItems datasetId={datasetId} />
              </Tabs.Panel>
              <Tabs.Panel value="experiments">
                <ExperimentList datasetId={datasetId} onRun={() => change({ run: '1' })} />
              </Tabs.Panel>
            </Tabs>
            <NewExperiment
              dataset={dataset}
              isOpen={search.has('run')}
              onClose={() => change({ run: null })}
            />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Actions({ dataset: { id: datasetId, itemCount }, onRun }: { dataset: Dataset; onRun: () => void }) {
  const [, navigate] = useLocation()
  const removing = useAction({
    run: () => api.delete('/v1/evaluations/datasets/{datasetId}', { params: { path: { datasetId } } }),
    changes: [[...KEY, 'datasets']],
    done: 'The dataset is deleted',
    onDone: () => navigate('/evaluations')
  })
  return (
    <Group gap="sm">
      <Button
        leftSection={<FlaskConical size={16} aria-hidden />}
        onClick={onRun}
        disabled={itemCount === 0}
        title={itemCount === 0 ? 'It needs an item first' : undefined}
      >
        New experiment
      </Button>
      <ConfirmButton
        title="Delete this dataset?"
        warning="Its items and its experiments go with it. This cannot be undone."
        onClick={() => removing.mutate()}
        loading={removing.isPending}
      >
        Delete
      </ConfirmButton>
    </Group>
  )
}
