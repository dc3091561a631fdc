import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page under a heading of its own. */
export function Panel(props: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) {
  const { title, description, actions, children } = props
  return (
    <Card component="section" withBorder padding="lg">
      <Stack gap="md" align="stretch">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2}>
            <Title order={2} size="h5">
              {title}
            </Title>
            {description && (
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {children && <div>{children}</div>}
      </Stack>
    </Card>
  )
}
