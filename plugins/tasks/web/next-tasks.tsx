import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, TimeAgo } from 'agent-platform/console'
import { Link } from 'wouter'
import { upcomingQuery } from './queries.ts'

const SHOWN = 5

/** Card of the home page: what runs next. */
export default function NextTasks() {
  const upcoming = useQuery(upcomingQuery())
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h5">
          Scheduled next
        </Title>
        <Anchor component={Link} href="/tasks?view=calendar" size="sm">
          Calendar
        </Anchor>
      </Group>
      <Loaded query={upcoming}>
        {({ tasks }) =>
          tasks.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing is scheduled.{' '}
              <Anchor component={Link} href="/tasks?new" size="sm" underline="always">
                Create a task
              </Anchor>
            </Text>
          ) : (
            <Stack gap="xs">
              {tasks.slice(0, SHOWN).map(({ id, title, nextRunAt }) => (
                <Group key={id} justify="space-between" wrap="nowrap" gap="md">
                  <Anchor component={Link} href={`/tasks/${id}`} size="sm" c="inherit" truncate>
                    {title}
                  </Anchor>
                  <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                    <TimeAgo at={nextRunAt} />
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  )
}
