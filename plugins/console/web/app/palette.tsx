import { Spotlight } from '@mantine/spotlight'
import { useQueries } from '@tanstack/react-query'
import { House, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { PackPage } from '../kit/contributions.tsx'
import { useSession } from '../kit/session.tsx'

/** Of each kind so many are looked through, the newest. */
const KNOWN = 100

/** Every page and command by its name, and what the caller has (⌘K). */
export default function Palette({ pages }: { pages: readonly PackPage[] }) {
  const [, navigate] = useLocation()
  const [query, setQuery] = useState('')
  const found = useFound(pages, query.trim().length > 1)
  const own = pages.flatMap(({ title, navigation, commands = [] }) => {
    const icon = navigation?.icon
    return [
      ...(navigation ? [{ id: navigation.to, label: title, to: navigation.to, icon }] : []),
      ...commands.map((command) => ({ id: `${command.label} ${command.to}`, icon, ...command }))
    ]
  })
  const home = { id: '/', label: 'Home', to: '/', icon: House }
  return (
    <Spotlight
      actions={[home, ...own, ...found].map(({ to, icon: Icon = Search, ...action }) => ({
        ...action,
        leftSection: <Icon size={18} strokeWidth={1.8} aria-hidden />,
        onClick: () => navigate(to)
      }))}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      // Also while a message is written.
      tagsToIgnore={[]}
      highlightQuery
      limit={12}
      scrollable
      maxHeight="min(480px, 60dvh)"
      nothingFound="There is nothing of that name"
      searchProps={{
        placeholder: 'Where to, or what to do?',
        'aria-label': 'Search pages, commands and what you have',
        leftSection: <Search size={18} aria-hidden />
      }}
    />
  )
}

/** What the caller has, by name, and by id for one that was pasted. A list that is refused has nothing. */
function useFound(pages: readonly PackPage[], isWanted: boolean) {
  const principalId = useSession().principal?.id ?? ''
  const finds = useMemo(
    () =>
      pages.flatMap(({ finds = [], navigation }) => finds.map((it) => ({ ...it, icon: navigation?.icon }))),
    [pages]
  )
  return useQueries({
    queries: finds.map(({ kind, find }) => ({
      queryKey: ['found', kind],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        find({ principalId, query: { limit: KNOWN }, signal }),
      enabled: isWanted,
      staleTime: 30_000
    })),
    combine: (results) =>
      results.flatMap(({ data = [] }, place) => {
        const { kind, icon } = finds[place] as (typeof finds)[number]
        return data.map(({ label, description, to }) => ({
          id: `${kind} ${to}`,
          label,
          description: description ? `${kind} · ${description}` : kind,
          keywords: to,
          to,
          icon
        }))
      })
  })
}
