import { Badge, Group, List, Stack, Text } from '@mantine/core'
import type { Schemas } from 'agent-platform-client'

type Item = Schemas['AppConsentItem']
export type Risk = Item['risk']

const colors = { low: 'green', medium: 'orange', high: 'red' } as const
const order = { high: 0, medium: 1, low: 2 } as const

export const RiskBadge = ({ risk }: { risk: Risk }) => (
  <Badge color={colors[risk]} variant="dot" tt="none" fw={600} flex="none" miw={112}>
    {risk} risk
  </Badge>
)

/** What a version could newly do, the gravest first. */
export function Consent({ items }: { items: readonly Item[] }) {
  if (items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        It asks for nothing that it may not do already.
      </Text>
    )
  return (
    <List listStyleType="none" spacing="sm" styles={{ itemWrapper: { width: '100%' } }}>
      {[...items]
        .sort((a, b) => order[a.risk] - order[b.risk])
        .map(({ kind, name, risk, text, reason, isNew }) => (
          <List.Item key={`${kind} ${name}`}>
            <Group gap="sm" align="flex-start">
              <RiskBadge risk={risk} />
              <Stack gap={0} flex="1 1 220px" miw={0} style={{ overflowWrap: 'anywhere' }}>
                <Text size="sm">
                  {text}
                  {isNew ? ' (new)' : ''}
                </Text>
                {reason && (
                  <Text size="xs" c="dimmed" lineClamp={4}>
                    The app says: {reason}
                  </Text>
                )}
              </Stack>
            </Group>
          </List.Item>
        ))}
    </List>
  )
}
