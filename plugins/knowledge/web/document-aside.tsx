import { Anchor, Badge, Group, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bytesOf, Loaded, TimeAgo } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Document } from './queries.ts'
import { graphQuery } from './queries.ts'

/** What stands beside a document: what is known of it, and what it is linked with. */
export function DocumentAside({ document }: { document: Document }) {
  const { id, spaceId, path, size, tags, updatedAt, error } = document
  const links = useQuery(graphQuery(spaceId, id))
  return (
    <Stack gap="lg">
      {error && (
        <Part title="Could not be read">
          <Text size="sm" c="red.8">
            {error.message}
          </Text>
        </Part>
      )}
      <Part title="Path">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
        <Text size="xs" c="dimmed">
          {bytesOf(size)} of text, changed <TimeAgo at={updatedAt} />
        </Text>
      </Part>
      {tags.length > 0 && (
        <Part title="Tags">
          <Group gap={6}>
            {tags.slice(0, 50).map((tag) => (
              <Badge key={tag} variant="default" tt="none">
                {tag}
              </Badge>
            ))}
          </Group>
        </Part>
      )}
      <Loaded query={links}>
        {({ nodes, edges, unresolved }) => {
          const byId = new Map(nodes.map((node) => [node.id, node]))
          const to = edges.filter(({ fromId }) => fromId === id).map(({ toId }) => toId)
          const from = edges.filter(({ toId }) => toId === id).map(({ fromId }) => fromId)
          const lists = [
            { title: 'Links to', ids: to },
            { title: 'Linked from', ids: from }
          ]
          return (
            <>
              {lists.map(({ title, ids }) => (
                <Part key={title} title={title}>
                  {ids.length === 0 ? (
                    <Text size="sm" c="dimmed">
                      Nothing
                    </Text>
                  ) : (
                    <List size="sm" spacing={4} listStyleType="none">
                      {ids.map((it) => (
                        <List.Item key={it} style={{ overflowWrap: 'anywhere' }}>
                          <Anchor component={Link} href={`/knowledge/${spaceId}/documents/${it}`} size="sm">
                            {byId.get(it)?.title ?? it}
                          </Anchor>
                        </List.Item>
                      ))}
                    </List>
                  )}
                </Part>
              ))}
              {unresolved.length > 0 && (
                <Part title="Leads nowhere yet">
                  <List size="sm" spacing={4} listStyleType="none">
                    {unresolved.map(({ target, label }) => (
                      <List.Item key={`${target} ${label}`} style={{ overflowWrap: 'anywhere' }}>
                        {target}
                      </List.Item>
                    ))}
                  </List>
                </Part>
              )}
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap={4}>
    <Title order={2} size="h6">
      {title}
    </Title>
    {children}
  </Stack>
)
