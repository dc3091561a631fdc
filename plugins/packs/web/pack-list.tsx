import { Anchor, Button, Code, Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded, PageFrame, StatusBadge } from 'agent-platform/console'
import { History, Search, SearchX } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import type { Pack } from './queries.ts'
import { packsQuery, versionOf } from './queries.ts'

const views = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'off', label: 'Off' },
  { value: 'trouble', label: 'In trouble' }
]

/** All packs that the platform knows, by name and by how they are. */
export default function PackList() {
  const packs = useQuery(packsQuery)
  const [search, setSearch] = useSearchParams()
  const words = search.get('q') ?? ''
  const view = search.get('state') ?? 'all'
  const set = (next: { q?: string; state?: string }) => {
    const { q = words, state = view } = next
    setSearch({ ...(q && { q }), ...(state !== 'all' && { state }) }, { replace: true })
  }
  return (
    <PageFrame
      title="Packs"
      description="Every feature is a pack. They are enabled, configured, reloaded and removed while the platform serves."
      actions={
        <Button
          component={Link}
          href="/packs/changes"
          variant="default"
          leftSection={<History size={16} aria-hidden />}
        >
          Changes
        </Button>
      }
    >
      <Stack gap="md">
        <Group gap="sm">
          <TextInput
            aria-label="Search packs"
            placeholder="Search packs"
            leftSection={<Search size={16} aria-hidden />}
            value={words}
            onChange={({ currentTarget }) => set({ q: currentTarget.value })}
            w={{ base: '100%', xs: 280 }}
          />
          <SegmentedControl
            aria-label="State"
            data={views}
            value={view}
            onChange={(state) => set({ state })}
            size="xs"
          />
        </Group>
        <Loaded query={packs}>
          {(packs) => {
            const shown = packs.filter((pack) => isOf(pack, view) && isNamed(pack, words))
            return shown.length > 0 ? (
              <Packs packs={shown} />
            ) : (
              <EmptyState icon={SearchX} title="No such pack">
                {view === 'trouble' && !words
                  ? 'All packs are as they should be.'
                  : 'None is called so and in that state.'}
              </EmptyState>
            )
          }}
        </Loaded>
      </Stack>
    </PageFrame>
  )
}

const isInTrouble = ({ status, deadLettered }: Pack) =>
  status === 'failed' || status === 'waiting for code' || deadLettered.length > 0

const isOf = (pack: Pack, view: string) =>
  view === 'all' || (view === 'trouble' ? isInTrouble(pack) : pack.status === view)

const isNamed = ({ name, area, summary }: Pack, words: string) =>
  `${name} ${area ?? ''} ${summary ?? ''}`.toLowerCase().includes(words.trim().toLowerCase())

const Packs = ({ packs }: { packs: readonly Pack[] }) => (
  <Table.ScrollContainer minWidth={640}>
    <Table verticalSpacing="sm" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Area</Table.Th>
          <Table.Th>Version</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {packs.map(({ name, area, summary, status, reason, digest, deadLettered }) => (
          <Table.Tr key={name}>
            <Table.Td maw={460}>
              <Anchor component={Link} href={`/packs/${name}`} fw={550} c="inherit">
                {name}
              </Anchor>
              <Text size="xs" c={status === 'failed' ? 'red' : 'dimmed'} lineClamp={2}>
                {status === 'failed' ? reason : summary}
              </Text>
            </Table.Td>
            <Table.Td>
              <StatusBadge status={status} />
              {deadLettered.length > 0 && (
                <Text size="xs" mt={4}>
                  {deadLettered.length} dead-lettered
                </Text>
              )}
            </Table.Td>
            <Table.Td>{area ?? '–'}</Table.Td>
            <Table.Td>{digest ? <Code>{versionOf(digest)}</Code> : '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
