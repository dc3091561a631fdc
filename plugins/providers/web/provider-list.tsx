import { Button, Group, Text } from '@mantine/core'
import {
  api,
  ConfirmButton,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  useAction,
  useAddress,
  useList
} from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Cable } from 'lucide-react'
import { ChooseProvider } from './choose-provider.tsx'

type Capability = Schemas['CapabilityProvider']
const sources = { project: 'This project', environment: 'The deployment', default: 'The default' }

/** What serves each capability in the project. Which one is chosen anew stands in the address. */
export default function ProviderList() {
  const { search, change } = useAddress()
  const list = useList(['providers'], (cursor, signal) =>
    api.get('/v1/providers', { params: { query: { limit: 50, cursor } }, signal })
  )
  return (
    <PageFrame
      title="Providers"
      description="What serves each capability in this project. A choice is really asked before it is taken."
    >
      <ListTable
        label="Capabilities"
        list={list}
        empty={
          <EmptyState icon={Cable} title="No capabilities">
            No pack that is on brings one.
          </EmptyState>
        }
        columns={[
          {
            header: 'Capability',
            cell: ({ title }) => title,
            note: ({ description }) => description,
            maxWidth: 420
          },
          { header: 'Served by', cell: (capability) => <ServedBy capability={capability} />, maxWidth: 280 },
          { header: 'Chosen by', cell: ({ source }) => (source ? sources[source] : '—') },
          {
            header: 'Choose',
            isAction: true,
            cell: (capability) =>
              capability.configurable && (
                <Actions capability={capability} onChoose={() => change({ choose: capability.capability })} />
              )
          }
        ]}
      />
      <ChooseProvider
        capability={list.data?.pages
          .flatMap(({ data }) => data)
          .find(({ capability }) => capability === search.get('choose'))}
        onClose={() => change({ choose: null })}
      />
    </PageFrame>
  )
}

function ServedBy({ capability: { provider, modelId, configured, options } }: { capability: Capability }) {
  if (provider === null) return <StatusBadge status="missing" />
  const name = options.find((it) => it.provider === provider)?.name ?? provider
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {modelId === null ? name : `${name} · ${modelId}`}
      </Text>
      {!configured && <StatusBadge status="not configured" />}
    </Group>
  )
}

function Actions({ capability, onChoose }: { capability: Capability; onChoose: () => void }) {
  const resetting = useAction({
    run: () =>
      api.delete('/v1/providers/{capability}', {
        params: { path: { capability: capability.capability } }
      }),
    changes: [['providers'], ['models']],
    done: `${capability.title}: as the deployment says`
  })
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {capability.source === 'project' && (
        <ConfirmButton
          size="compact-sm"
          title={`Reset ${capability.title.toLowerCase()}?`}
          warning="What the deployment says holds from then on. Keys that were given stay."
          onClick={() => resetting.mutate()}
          loading={resetting.isPending}
        >
          Reset
        </ConfirmButton>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Choose for ${capability.title}`}
        onClick={onChoose}
      >
        Choose
      </Button>
    </Group>
  )
}
