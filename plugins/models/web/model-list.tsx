import { Badge, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, EmptyState, Loaded, Panel } from 'agent-platform/console'
import { Search, SearchX } from 'lucide-react'
import { useSearchParams } from 'wouter'
import type { Model } from './queries.ts'
import { allModelsQuery } from './queries.ts'

/** All models that are known; those that can be asked now, unless the others are wanted too. */
export function ModelList() {
  const models = useQuery(allModelsQuery)
  const [search, setSearch] = useSearchParams()
  const words = search.get('q') ?? ''
  const isAll = search.has('all')
  const set = (q: string, all: boolean) =>
    setSearch({ ...(q && { q }), ...(all && { all: '' }) }, { replace: true })
  return (
    <Panel title="Models">
      <Stack gap="md">
        <Group gap="md">
          <TextInput
            aria-label="Search models"
            placeholder="Search models"
            leftSection={<Search size={16} aria-hidden />}
            value={words}
            onChange={({ currentTarget }) => set(currentTarget.value, isAll)}
            w={{ base: '100%', xs: 280 }}
          />
          <Checkbox
            label="Also those of providers that are not configured"
            checked={isAll}
            onChange={({ currentTarget }) => set(words, currentTarget.checked)}
          />
        </Group>
        <Loaded query={models}>
          {(models) => {
            const shown = models.filter(
              ({ configured, id, name }) =>
                (isAll || configured) && `${id} ${name}`.toLowerCase().includes(words.trim().toLowerCase())
            )
            return <Models models={shown} />
          }}
        </Loaded>
      </Stack>
    </Panel>
  )
}

const Models = ({ models }: { models: readonly Model[] }) => (
  <DataTable
    label="Models"
    rows={models}
    keyOf={({ id, modalities }) => `${id} ${modalities.join()}`}
    empty={
      <EmptyState icon={SearchX} title="No such model">
        None of these has that name. Providers bring more once they are configured.
      </EmptyState>
    }
    columns={[
      {
        header: 'Model',
        cell: (model) => (
          <Group gap="xs">
            <Text size="sm">{model.name}</Text>
            {model.default && (
              <Badge size="sm" radius="sm" variant="light" tt="none">
                Default
              </Badge>
            )}
          </Group>
        ),
        note: ({ modelId }) => modelId,
        maxWidth: 340
      },
      { header: 'Provider', cell: ({ modelProvider }) => modelProvider },
      {
        header: 'Gives',
        cell: ({ modalities, dimensions }) =>
          modalities.includes('embedding') ? `Vectors${dimensions ? ` of ${dimensions}` : ''}` : 'Text'
      },
      { header: 'Context', cell: ({ contextTokens }) => tokens(contextTokens), isNumber: true },
      { header: 'Reply', cell: ({ outputTokens }) => tokens(outputTokens), isNumber: true }
    ]}
  />
)

const tokens = (count: number | null) => count?.toLocaleString('en') ?? '–'
