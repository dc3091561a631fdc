import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { useQueries } from '@tanstack/react-query'
import { ApiError } from 'agent-platform-client'
import { House, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { PackPage } from '../kit/contributions.tsx'
import { useSession } from '../kit/session.tsx'

/** How many of each kind the server is asked for. */
const FOUND = 20

/** Every page and command by its name, and what the caller has (⌘K). */
export default function Palette({ pages }: { pages: readonly PackPage[] }) {
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const { found, isSearching, hasFailed } = useFound(pages, typed.trim())
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
      onQueryChange={setTyped}
      shortcut={['mod + K']}
      // Also while a message is written.
      tagsToIgnore={[]}
      highlightQuery
      limit={12}
      scrollable
      maxHeight="min(480px, 60dvh)"
      nothingFound={
        isSearching
          ? 'Searching…'
          : hasFailed
            ? 'Some lists could not be searched. Nothing was found in the others.'
            : 'No matching pages, commands or items'
      }
      searchProps={{
        placeholder: 'Search by name or ID',
        'aria-label': 'Search pages, commands and what you have',
        leftSection: <Search size={18} aria-hidden />
      }}
    />
  )
}

/** What the caller has, by name or by a pasted ID. The server searches while somebody types; a list that is refused has nothing. */
function useFound(pages: readonly PackPage[], typed: string) {
  const principalId = useSession().principal?.id ?? ''
  const [text] = useDebouncedValue(typed, 200)
  const isWanted = text.length > 1
  const finds = useMemo(
    () =>
      pages.flatMap(({ finds = [], navigation }) => finds.map((it) => ({ ...it, icon: navigation?.icon }))),
    [pages]
  )
  return useQueries({
    queries: finds.map(({ kind, find, isSearched }) => ({
      queryKey: ['found', kind, isSearched && text],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        find({ principalId, text, query: { limit: isSearched ? FOUND : 100, query: text }, signal }),
      enabled: isWanted,
      staleTime: 30_000
    })),
    combine: (results) => ({
      isSearching: typed.length > 1 && (typed !== text || results.some(({ isPending }) => isPending)),
      hasFailed: results.some(
        ({ error }) => error !== null && !(error instanceof ApiError && error.status === 403)
      ),
      found: results.flatMap(({ data = [] }, place) => {
        const { kind, icon, isSearched } = finds[place] as (typeof finds)[number]
        return data.map(({ label, description, to }) => ({
          id: `${kind} ${to}`,
          label,
          description: description ? `${kind} · ${description}` : kind,
          // What the server found stays, whatever it was found by.
          keywords: isSearched ? [to, text] : to,
          to,
          icon
        }))
      })
    })
  })
}
