import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { Link } from 'wouter'

interface Crumb {
  readonly label: string
  readonly to: string
}

/** A page: where it is, its title, what can be done on it, and its content. */
export function PageFrame(props: {
  title: string
  description?: ReactNode
  crumbs?: readonly Crumb[]
  /** Beside the title. */
  badge?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** For what uses all of the height, such as a chat. */
  isFull?: boolean
}) {
  const { title, description, crumbs = [], badge, actions, children, isFull } = props
  useEffect(() => {
    document.title = `${title} · Agent Platform`
  }, [title])
  return (
    <Stack gap="lg" h={isFull ? '100%' : undefined}>
      <Stack gap={4}>
        {crumbs.length > 0 && (
          <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6}>
            {crumbs.map(({ label, to }) => (
              <Anchor key={to} component={Link} href={to} size="sm" lh={1.5} truncate maw="min(24rem, 80vw)">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" gap="sm" align="flex-start">
          {/* On a phone the actions come below it. */}
          <Stack gap={4} miw={0} flex="1 1 20rem">
            <Group gap="sm" miw={0}>
              <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
              {badge}
            </Group>
            {description && (
              <Text component="div" size="sm" c="dimmed" maw={720}>
                {description}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      <Box flex={isFull ? 1 : undefined} mih={0}>
        {children}
      </Box>
    </Stack>
  )
}
