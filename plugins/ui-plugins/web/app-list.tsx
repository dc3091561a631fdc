import { Button, Code, Select, Stack } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { Blocks, Plus } from 'lucide-react'
import { AppIcon } from './app-icon.tsx'
import { InstallApp } from './install-app.tsx'
import { Pinned } from './pinned.tsx'
import { standingOf } from './queries.ts'

const statuses = ['draft', 'enabled', 'off'] as const

/** Apps that are installed, and how they stand. */
export default function AppList() {
  const { search, change } = useAddress()
  const status = statuses.find((it) => it === search.get('status'))
  const list = useList(['apps', 'list', status], (cursor, signal) =>
    api.get('/v1/ui-plugins', { params: { query: { status, limit: 50, cursor } }, signal })
  )
  const install = (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => change({ new: 'app' }, { push: true })}
    >
      Install app
    </Button>
  )
  return (
    <PageFrame
      title="Apps"
      description="Pages and functions of others that run apart from the platform, and may do what you grant them."
      actions={install}
    >
      <Stack>
        <Pinned />
        <Select
          label="Status"
          placeholder="Any"
          data={[...statuses]}
          value={status ?? null}
          onChange={(status) => change({ status })}
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          maw={200}
        />
        <ListTable
          label="Apps"
          list={list}
          empty={
            status ? (
              <EmptyState icon={Blocks} title={`No app is ${status}`} />
            ) : (
              <EmptyState icon={Blocks} title="No apps yet" action={install}>
                An app is usually published from its folder, by <Code>agent-platform-app publish</Code>. Its
                built files can be installed here as well.
              </EmptyState>
            )
          }
          columns={[
            {
              header: 'App',
              icon: (app) => <AppIcon app={app} />,
              to: ({ pluginId }) => `/apps/${pluginId}`,
              cell: ({ name }) => name,
              note: ({ description }) => description
            },
            { header: 'Status', cell: (app) => <StatusBadge status={standingOf(app)} /> },
            {
              header: 'Version',
              cell: ({ enabled, draft }) => (enabled ?? draft)?.version,
              note: ({ enabled, draft }) => enabled && draft && `${draft.version} waits for consent`
            },
            { header: 'For', cell: ({ audience }) => (audience === 'project' ? 'The project' : 'Its owner') },
            { header: 'Changed', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
          ]}
        />
      </Stack>
      <InstallApp isOpen={search.has('new')} onClose={() => change({ new: null })} />
    </PageFrame>
  )
}
