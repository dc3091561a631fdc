import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'

/** What every query of TanStack Query has. */
interface Query<T> {
  readonly data: T | undefined
  readonly error: unknown
  refetch(): unknown
}

/** What a query gives, once it is there; a skeleton until then, and the reason where it fails. */
export function Loaded<T>({ query, children }: { query: Query<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorNotice error={query.error} retry={() => query.refetch()} />
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      <Skeleton height={28} width="40%" />
      <Skeleton height={16} />
      <Skeleton height={16} />
      <Skeleton height={16} width="70%" />
    </Stack>
  )
}
