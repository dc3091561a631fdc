import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { ErrorNotice } from './error-notice.tsx'
import { TimeAgo } from './time-ago.tsx'

export interface WaitingRow {
  readonly id: string
  /** Path within the console where it is answered. */
  readonly to: string
  /** What is wanted. */
  readonly title: string
  /** What wants it. */
  readonly about: string
  readonly since: string
  readonly until?: string | null | undefined
}

/** What waits for a person, of one pack, as home shows it. */
export function WaitingRows(props: {
  rows: readonly WaitingRow[] | undefined
  error: unknown
  retry: () => unknown
  /** Where the rest of them are. */
  more: string | undefined
  /** Told how many there are, once that is known. */
  onCount: (count: number) => void
}) {
  const { rows, error, retry, more, onCount } = props
  const count = rows?.length
  useEffect(() => {
    if (count !== undefined) onCount(count)
  }, [count, onCount])
  if (!rows) return error ? <ErrorNotice error={error} retry={retry} /> : null
  return (
    <Stack gap="xs">
      {rows.map(({ id, to, title, about, since, until }) => (
        <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <Anchor component={Link} href={to} size="sm" truncate display="block">
              {title}
            </Anchor>
            <Text size="xs" c="dimmed" component="div" truncate>
              {about}
            </Text>
          </div>
          <Text size="xs" c="dimmed" component="div" ta="right" flex="none">
            <TimeAgo at={since} />
            {until && (
              <div>
                expires <TimeAgo at={until} />
              </div>
            )}
          </Text>
        </Group>
      ))}
      {more && (
        <Anchor component={Link} href={more} size="sm">
          All that wait
        </Anchor>
      )}
    </Stack>
  )
}
