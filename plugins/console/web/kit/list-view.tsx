import { Button, Center, Stack, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAddress } from './address.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Loaded } from './loaded.tsx'
import { SearchField } from './search-field.tsx'

interface ListPage<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** A list of the API, page by page. `refresh`: milliseconds between looks. */
export function useList<T>(
  key: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
  { refresh, search }: { refresh?: number | undefined; search?: ListSearch | undefined } = {}
) {
  return useInfiniteQuery({
    queryKey: search ? [...key, search.query] : key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: refresh,
    // What was found stays until the server has searched again.
    ...(search && { placeholderData: keepPreviousData })
  })
}

/** What a list is searched for. */
export interface ListSearch {
  /** What is listed, in the plural: `agents`. */
  readonly what: string
  /** To be sent as `query`. */
  readonly query: string | undefined
  readonly set: (query: string) => void
}

/** The search of a list on the server, which stands in the address as `q`. */
export function useListSearch(what: string): ListSearch {
  const { search, change } = useAddress()
  return { what, query: search.get('q') || undefined, set: (q) => change({ q }) }
}

/** What a list has, `empty` where it has nothing, a field for its search, and a button for more. */
export function ListView<T>(props: {
  list: ReturnType<typeof useList<T>>
  empty: ReactNode
  search?: ListSearch | undefined
  children: (rows: readonly T[]) => ReactNode
}) {
  const { list, search, children } = props
  const isEmpty = list.data?.pages.every(({ data }) => data.length === 0)
  const empty = search?.query ? <NothingFound search={search} /> : props.empty
  return (
    <Stack gap="md">
      {search && (search.query !== undefined || !isEmpty) && (
        <SearchField label={`Search ${search.what}`} value={search.query ?? ''} onChange={search.set} />
      )}
      <Loaded query={list}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
          if (rows.length === 0) return <Nothing>{empty}</Nothing>
          return (
            <Stack gap="md">
              {list.error && <ErrorNotice error={list.error} retry={() => list.refetch()} />}
              {children(rows)}
              {list.hasNextPage && (
                <Center>
                  <Button
                    variant="default"
                    loading={list.isFetchingNextPage}
                    onClick={() => list.fetchNextPage()}
                  >
                    Show more
                  </Button>
                </Center>
              )}
            </Stack>
          )
        }}
      </Loaded>
    </Stack>
  )
}

const NothingFound = ({ search: { what, query } }: { search: ListSearch }) => (
  <EmptyState icon={SearchX} title={`No matching ${what}`}>
    No name, description or ID contains “{query}”. Change or clear the search to see more.
  </EmptyState>
)

/** Words are enough where a list is a small part of a page. */
export const Nothing = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  ) : (
    children
  )
