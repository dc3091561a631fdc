import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TimeAgo } from 'agent-platform/console'
import { CancelRun } from './cancel-run.tsx'
import { listKey, nameOf, readRuns } from './run-lists.ts'

const SHOWN = 100
const LOOK_MS = 10_000

/** What others asked in the session, and waits for its turn. `but`: runs that are shown already. */
export function QueuedRuns({ sessionId, but }: { sessionId: string; but: ReadonlySet<string> }) {
  const filter = { sessionId, status: 'queued' as const }
  const queued = useQuery({
    queryKey: listKey(filter, SHOWN),
    queryFn: async ({ signal }) => (await readRuns(filter, SHOWN, undefined, signal)).data.toReversed(),
    refetchInterval: LOOK_MS
  })
  const runs = queued.data?.filter(({ id }) => !but.has(id)) ?? []
  if (runs.length === 0) return null
  return (
    <Card withBorder padding="md" component="section" aria-label="Wait for their turn">
      <Title order={2} size="h6" mb="xs">
        Wait for their turn
      </Title>
      <Stack gap="xs">
        {runs.map((run) => (
          <Group key={run.id} justify="space-between" gap="sm" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" truncate>
                {nameOf(run)}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                <TimeAgo at={run.createdAt} />
              </Text>
            </div>
            <CancelRun run={run} />
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
