import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded, PageFrame, StatusBadge } from 'agent-platform/console'
import { useLocation, useParams } from 'wouter'
import { AppConnections } from './app-connections.tsx'
import { AppLogs } from './app-logs.tsx'
import { AppOverview } from './app-overview.tsx'
import { AppPermissions } from './app-permissions.tsx'
import { AppUsage } from './app-usage.tsx'
import { AppVersions } from './app-versions.tsx'
import { PinButton } from './pinned.tsx'
import { appQuery, standingOf } from './queries.ts'

const tabs = [
  { key: 'overview', title: 'Overview', Shown: AppOverview },
  { key: 'permissions', title: 'Permissions', Shown: AppPermissions },
  { key: 'connections', title: 'Connections', Shown: AppConnections },
  { key: 'versions', title: 'Versions', Shown: AppVersions },
  { key: 'logs', title: 'Logs', Shown: AppLogs },
  { key: 'usage', title: 'Usage', Shown: AppUsage }
]

/** An app: what it is, what it may do, and what it did. */
export default function AppPage() {
  const { pluginId = '', tab } = useParams()
  const [, navigate] = useLocation()
  const app = useQuery(appQuery(pluginId))
  const { data } = app
  const open = tabs.find(({ key }) => key === tab)?.key ?? 'overview'
  return (
    <PageFrame
      title={data?.name ?? pluginId}
      crumbs={[{ label: 'Apps', to: '/apps' }]}
      badge={data && <StatusBadge status={standingOf(data)} />}
      actions={data?.status === 'enabled' && <PinButton pluginId={pluginId} />}
    >
      <Loaded query={app}>
        {(app) => (
          <Tabs
            value={open}
            onChange={(key) =>
              navigate(key === 'overview' ? `/apps/${pluginId}` : `/apps/${pluginId}/${key}`)
            }
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              {tabs.map(({ key, title }) => (
                <Tabs.Tab key={key} value={key}>
                  {title}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {tabs.map(({ key, Shown }) => (
              <Tabs.Panel key={key} value={key}>
                <Shown app={app} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Loaded>
    </PageFrame>
  )
}
