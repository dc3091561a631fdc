import { Alert, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Details, Loaded, PageFrame, Panel, useAddress, useSession } from 'agent-platform/console'
import { Campaigns } from './campaigns.tsx'
import { Caps } from './caps.tsx'
import { Gifts } from './gifts.tsx'
import { Ledger } from './ledger.tsx'
import { Operator } from './operator.tsx'
import { balanceQuery } from './queries.ts'
import { Summary } from './summary.tsx'

/** What the caller has, what it was spent for, and how much may be. Which part is shown stands in the address. */
export default function Credits() {
  const { search, change } = useAddress()
  const { principal } = useSession()
  const isOperator = principal?.scopes.includes('platform:admin') ?? false
  const balance = useQuery(balanceQuery)
  const tabs = {
    spending: { title: 'Spending', show: () => <Spending /> },
    caps: { title: 'Spend caps', show: () => <Caps /> },
    gifts: { title: 'Gifts', show: () => <Gifts /> },
    campaigns: { title: 'Campaigns', show: () => <Campaigns isOperator={isOperator} /> },
    ...(isOperator && { operator: { title: 'Grants and prices', show: () => <Operator /> } })
  }
  const asked = search.get('tab') ?? 'spending'
  const tab = asked in tabs ? asked : 'spending'
  return (
    <PageFrame title="Credits" description="What agents spend for you, and how much they may.">
      <Stack gap="lg">
        <Loaded query={balance}>
          {({ unlimited, available, reserved, balance }) => (
            <>
              {unlimited && (
                <Alert color="blue" variant="light" title="Runs cost nothing in this project">
                  An operator turns credits on by the setting projects of the pack credits.
                </Alert>
              )}
              <Panel title="Balance">
                <Details
                  of={{
                    Available: available,
                    'Reserved for what is under way': reserved,
                    'All credits': balance
                  }}
                />
              </Panel>
            </>
          )}
        </Loaded>
        <Tabs
          value={tab}
          onChange={(next) => change({ tab: next === 'spending' ? null : next })}
          keepMounted={false}
        >
          <Tabs.List mb="lg">
            {Object.entries(tabs).map(([key, { title }]) => (
              <Tabs.Tab key={key} value={key}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {Object.entries(tabs).map(([key, { show }]) => (
            <Tabs.Panel key={key} value={key}>
              {show()}
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </PageFrame>
  )
}

const Spending = () => (
  <Stack gap="lg">
    <Summary />
    <Ledger />
  </Stack>
)
