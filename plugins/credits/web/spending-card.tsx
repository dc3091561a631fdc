import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, Panel } from 'agent-platform/console'
import { Link } from 'wouter'
import { balanceQuery, daysOf, summaryQuery } from './queries.ts'
import { SpendingChart } from './spending-chart.tsx'

/** Card of the home page: what was spent, and what is left. None where nothing costs anything. */
export default function SpendingCard() {
  const balance = useQuery(balanceQuery)
  const isLimited = balance.data?.unlimited === false
  const summary = useQuery({ ...summaryQuery('day'), enabled: isLimited })
  if (!isLimited) return null
  const more = (
    <Anchor component={Link} href="/credits" size="sm">
      Ledger
    </Anchor>
  )
  return (
    <Panel title="Spending" actions={more}>
      <Loaded query={summary}>
        {(spent) => (
          <>
            <Group justify="space-between" mb="md">
              <Text size="sm">{spent.spent} credits in 30 days</Text>
              <Text size="sm" c="dimmed">
                {balance.data?.available} left
              </Text>
            </Group>
            <SpendingChart days={daysOf(spent)} height={96} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}
