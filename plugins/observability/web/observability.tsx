import { Tabs } from '@mantine/core'
import { PageFrame, useAddress, useSession } from 'agent-platform/console'
import { ActivityFeed } from './activity-feed.tsx'
import { AuditLog } from './audit-log.tsx'
import { UsageReport } from './usage-report.tsx'

/** What was used and done. Which part is shown stands in the address. */
export default function Observability() {
  const { search, change } = useAddress()
  const { principal } = useSession()
  const isOperator = principal?.scopes.includes('platform:admin') ?? false
  const tabs = {
    usage: { title: 'Usage', show: () => <UsageReport /> },
    activity: { title: 'Activity', show: () => <ActivityFeed /> },
    ...(isOperator && { audit: { title: 'Audit log', show: () => <AuditLog /> } })
  }
  const asked = search.get('tab') ?? 'usage'
  const tab = asked in tabs ? asked : 'usage'
  return (
    <PageFrame title="Observability" description="What agents use, and who did what.">
      <Tabs
        value={tab}
        onChange={(next) => change({ tab: next === 'usage' ? null : next })}
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
    </PageFrame>
  )
}
