import { Button, Center, Stack, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { Loaded } from './loaded.tsx'

interface ListPage<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** A list of the API, page by page. `refresh`: milliseconds between looks. */
export function useList<T>(
  key: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<T>>,
  { refresh }: { refresh?: number } = {}
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: refresh
  })
}

/** What a list has, `empty` where it has nothing, and a button for more. */
export function ListView<T>(props: {
  list: ReturnType<typeof useList<T>>
  empty: ReactNode
  children: (rows: readonly T[]) => ReactNode
}) {
  const { list, empty, children } = props
  return (
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
  )
}

/** Words are enough where a list is a small part of a page. */
export const Nothing = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  ) : (
    children
  )
