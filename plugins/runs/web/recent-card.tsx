import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, StatusBadge, TimeAgo, useSession } from 'agent-platform/console'
import { Link } from 'wouter'
import type { RecentRun } from './queries.ts'
import { recentQuery } from './queries.ts'

/** Some of the caller's last runs, each of which leads into its conversation. */
export function RecentCard(props: {
  title: string
  empty: string
  chosen: (recent: RecentRun) => boolean
  /** What stands beside the time. */
  words?: (recent: RecentRun) => string
}) {
  const { title, empty, chosen, words } = props
  const { principal } = useSession()
  const recent = useQuery(recentQuery(principal?.id ?? ''))
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <Loaded query={recent}>
        {(all) => {
          const rows = all.filter(chosen)
          if (rows.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {empty}
              </Text>
            )
          return (
            <Stack gap="xs">
              {rows.map((row) => (
                <Group key={row.run.id} justify="space-between" gap="sm" wrap="nowrap">
                  <div style={{ minWidth: 0 }}>
                    <Anchor
                      component={Link}
                      href={`/agents/${row.run.agentId}/chat?session=${row.run.sessionId}`}
                      size="sm"
                      truncate
                      display="block"
                    >
                      {row.title ?? 'Untitled'}
                    </Anchor>
                    <Text size="xs" c="dimmed" component="div">
                      {words && `${words(row)} · `}
                      <TimeAgo at={row.run.createdAt} />
                    </Text>
                  </div>
                  <StatusBadge status={row.run.status} />
                </Group>
              ))}
            </Stack>
          )
        }}
      </Loaded>
    </Card>
  )
}
