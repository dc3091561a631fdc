import { Badge, Checkbox, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded, Panel } from 'agent-platform/console'
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
            return shown.length > 0 ? (
              <Models models={shown} />
            ) : (
              <EmptyState icon={SearchX} title="No such model">
                None of these has that name. Providers bring more once they are configured.
              </EmptyState>
            )
          }}
        </Loaded>
      </Stack>
    </Panel>
  )
}

const Models = ({ models }: { models: readonly Model[] }) => (
  <Table.ScrollContainer minWidth={620}>
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Model</Table.Th>
          <Table.Th>Provider</Table.Th>
          <Table.Th>Gives</Table.Th>
          <Table.Th ta="right">Context</Table.Th>
          <Table.Th ta="right">Reply</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {models.map((model) => (
          <Table.Tr key={`${model.id} ${model.modalities.join()}`}>
            <Table.Td maw={340}>
              <Group gap="xs">
                <Text size="sm">{model.name}</Text>
                {model.default && (
                  <Badge size="sm" radius="sm" variant="light" tt="none">
                    Default
                  </Badge>
                )}
              </Group>
              <Text size="xs" c="dimmed" truncate title={model.id}>
                {model.modelId}
              </Text>
            </Table.Td>
            <Table.Td>{model.modelProvider}</Table.Td>
            <Table.Td>
              {model.modalities.includes('embedding')
                ? `Vectors${model.dimensions ? ` of ${model.dimensions}` : ''}`
                : 'Text'}
            </Table.Td>
            <Table.Td ta="right">{tokens(model.contextTokens)}</Table.Td>
            <Table.Td ta="right">{tokens(model.outputTokens)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const tokens = (count: number | null) => count?.toLocaleString('en') ?? '–'
