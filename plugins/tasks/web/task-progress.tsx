import { Anchor, Card, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { CodeBlock, ErrorNotice, StatusBadge, TimeAgo } from 'agent-platform/console'
import { Link } from 'wouter'
import { useTaskProgress } from './use-task-progress.ts'

/** The run that is under way, as it goes on. */
export function TaskProgress({ taskId }: { taskId: string }) {
  const { latest, said, error } = useTaskProgress(taskId)
  return (
    <Card withBorder padding="lg" aria-live="polite">
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={2} size="h5">
              Under way
            </Title>
            {latest?.status !== 'waiting' && <Loader size="xs" type="dots" aria-hidden />}
            {latest && <StatusBadge status={latest.status} />}
            {latest?.attempt && latest.attempt > 1 ? <Text size="sm">Attempt {latest.attempt}</Text> : null}
          </Group>
          {latest?.runId && (
            <Anchor component={Link} href={`/runs/${latest.runId}`} size="sm">
              Open the run
            </Anchor>
          )}
        </Group>
        {latest?.status === 'waiting' && (
          <Text size="sm">It waits for a person or for something from outside: open it to answer.</Text>
        )}
        {latest?.at && (
          <Text size="sm">
            It is tried again <TimeAgo at={latest.at} />.
          </Text>
        )}
        {latest?.error && (
          <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
            {latest.error.message}
          </Text>
        )}
        {said && <CodeBlock label="What the agent says" value={said} maxHeight={200} />}
        {error ? <ErrorNotice error={error} /> : null}
      </Stack>
    </Card>
  )
}
