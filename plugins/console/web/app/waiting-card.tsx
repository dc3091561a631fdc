import { Card, Stack, Text, Title } from '@mantine/core'
import { useCallback, useState } from 'react'
import { Contributed, useContributions } from '../kit/contributions.tsx'

/** All that waits for the caller, whichever pack it is of. */
export function WaitingCard() {
  const sources = useContributions('waiting')
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({})
  const tell = useCallback(
    (key: string, count: number) => setCounts((before) => ({ ...before, [key]: count })),
    []
  )
  if (sources.length === 0) return null
  const isEmpty = sources.every(({ key }) => counts[key] === 0)
  return (
    <Card withBorder padding="lg" component="section" aria-label="Waits for you">
      <Title order={2} size="h5" mb="sm">
        Waits for you
      </Title>
      {isEmpty && (
        <Text size="sm" c="dimmed">
          Nothing waits for an approval or an answer.
        </Text>
      )}
      <Stack gap="xs">
        {sources.map((source) => (
          <Source key={source.key} source={source} tell={tell} />
        ))}
      </Stack>
    </Card>
  )
}

function Source(props: {
  source: ReturnType<typeof useContributions<'waiting'>>[number]
  tell: (key: string, count: number) => void
}) {
  const { source, tell } = props
  const { key, load } = source
  const onCount = useCallback((count: number) => tell(key, count), [key, tell])
  return <Contributed load={load} onCount={onCount} />
}
