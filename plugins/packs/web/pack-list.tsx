import { Button, Code, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable, EmptyState, Loaded, PageFrame, StatusBadge } from 'agent-platform/console'
import { History, Search, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { pageFaultOf } from './page-notice.tsx'
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
            return (
              <Packs
                packs={shown}
                empty={
                  <EmptyState icon={SearchX} title="No such pack">
                    {view === 'trouble' && !words
                      ? 'All packs are as they should be.'
                      : 'None is called so and in that state.'}
                  </EmptyState>
                }
              />
            )
          }}
        </Loaded>
      </Stack>
    </PageFrame>
  )
}

const isInTrouble = (pack: Pack) =>
  pack.status === 'failed' ||
  pack.status === 'waiting for code' ||
  pack.deadLettered.length > 0 ||
  pageFaultOf(pack) !== undefined

const isOf = (pack: Pack, view: string) =>
  view === 'all' || (view === 'trouble' ? isInTrouble(pack) : pack.status === view)

const isNamed = ({ name, area, summary }: Pack, words: string) =>
  `${name} ${area ?? ''} ${summary ?? ''}`.toLowerCase().includes(words.trim().toLowerCase())

const Packs = ({ packs, empty }: { packs: readonly Pack[]; empty: ReactNode }) => (
  <DataTable
    label="Packs"
    rows={packs}
    keyOf={({ name }) => name}
    empty={empty}
    columns={[
      {
        header: 'Name',
        to: ({ name }) => `/packs/${name}`,
        cell: ({ name }) => name,
        note: ({ status, reason, summary }) =>
          status === 'failed' ? (
            <Text span size="xs" c="red">
              {reason}
            </Text>
          ) : (
            summary
          )
      },
      {
        header: 'State',
        cell: ({ status }) => <StatusBadge status={status} />,
        note: (pack) => {
          const { length } = pack.deadLettered
          return length > 0 ? `${length} dead-lettered` : pageFaultOf(pack)
        }
      },
      { header: 'Area', cell: ({ area }) => area ?? '–' },
      { header: 'Version', cell: ({ digest }) => (digest ? <Code>{versionOf(digest)}</Code> : '–') }
    ]}
  />
)
