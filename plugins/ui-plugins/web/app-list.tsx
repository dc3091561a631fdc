import { Anchor, Button, Code, Group, Select, Stack, Table, Text } from '@mantine/core'
import {
  api,
  EmptyState,
  ListView,
  PageFrame,
  StatusBadge,
  TimeAgo,
  useAddress,
  useList
} from 'agent-platform/console'
import { Blocks, Plus } from 'lucide-react'
import { Link } from 'wouter'
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
        <ListView
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
        >
          {(apps) => (
            <Table.ScrollContainer minWidth={620}>
              <Table verticalSpacing="sm" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>App</Table.Th>
                    <Table.Th>Status</Table.Th>
                    <Table.Th>Version</Table.Th>
                    <Table.Th>For</Table.Th>
                    <Table.Th>Changed</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {apps.map((app) => (
                    <Table.Tr key={app.id}>
                      <Table.Td maw={380}>
                        <Group gap="sm" wrap="nowrap">
                          <AppIcon app={app} />
                          <Stack gap={0} miw={0}>
                            <Anchor
                              component={Link}
                              href={`/apps/${app.pluginId}`}
                              fw={550}
                              c="inherit"
                              style={{ overflowWrap: 'anywhere' }}
                            >
                              {app.name}
                            </Anchor>
                            <Text size="xs" c="dimmed" truncate>
                              {app.description}
                            </Text>
                          </Stack>
                        </Group>
                      </Table.Td>
                      <Table.Td>
                        <StatusBadge status={standingOf(app)} />
                      </Table.Td>
                      <Table.Td>
                        {(app.enabled ?? app.draft)?.version}
                        {app.enabled && app.draft && (
                          <Text size="xs" c="dimmed">
                            {app.draft.version} waits for consent
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td>{app.audience === 'project' ? 'The project' : 'Its owner'}</Table.Td>
                      <Table.Td>
                        <TimeAgo at={app.updatedAt} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </ListView>
      </Stack>
      <InstallApp isOpen={search.has('new')} onClose={() => change({ new: null })} />
    </PageFrame>
  )
}
