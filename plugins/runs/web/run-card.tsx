import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Loaded, StatusBadge, TimeAgo, useAgentNames } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ListedRun } from './run-lists.ts'
import { nameOf } from './run-lists.ts'

/** Some runs, each of which leads to its page; `more` leads to all of them. */
export function RunCard(props: {
  title: string
  empty: ReactNode
  more: string
  query: Pick<UseQueryResult<readonly ListedRun[]>, 'data' | 'error' | 'refetch'>
}) {
  const { title, empty, more, query } = props
  const names = useAgentNames(query.data?.map(({ agentId }) => agentId) ?? [])
  return (
    <Card withBorder padding="lg" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Anchor component={Link} href={more} size="sm">
          All
        </Anchor>
      </Group>
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <Text size="sm" c="dimmed">
              {empty}
            </Text>
          ) : (
            <Stack gap="xs">
              {runs.map((run) => (
                <Group key={run.id} justify="space-between" gap="sm" wrap="nowrap">
                  <div style={{ minWidth: 0 }}>
                    <Anchor component={Link} href={`/runs/${run.id}`} size="sm" truncate display="block">
                      {nameOf(run)}
                    </Anchor>
                    <Text size="xs" c="dimmed" component="div" truncate>
                      {names.get(run.agentId) ?? run.agentId} · <TimeAgo at={run.createdAt} />
                    </Text>
                  </div>
                  <StatusBadge status={run.status} />
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  )
}
