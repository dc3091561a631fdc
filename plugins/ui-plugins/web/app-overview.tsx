import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core'
import { api, ConfirmButton, Details, Panel, TimeAgo, useAction } from 'agent-platform/console'
import { Link, useLocation } from 'wouter'
import { AppIcon } from './app-icon.tsx'
import type { App } from './queries.ts'

/** What an app is, what it brings, and its end. */
export function AppOverview({ app }: { app: App }) {
  const { pluginId, health, enabled, draft } = app
  return (
    <Stack>
      {health.state !== 'healthy' && (
        <Alert
          color="orange"
          variant="light"
          title={
            health.state === 'quarantined' ? 'The app is quarantined' : 'The app runs in a separate process'
          }
          style={{ overflowWrap: 'anywhere' }}
        >
          {health.reason ?? 'The app crashed sandbox processes.'}{' '}
          {health.until && `Until ${new Date(health.until).toLocaleString()}.`}
        </Alert>
      )}
      {enabled && draft && (
        <Alert variant="light" title={`Version ${draft.version} waits for your consent`}>
          <Anchor component={Link} href={`/apps/${pluginId}/permissions`} size="sm">
            See what it asks for
          </Anchor>
        </Alert>
      )}
      <Panel title="About" actions={<Standing app={app} />}>
        <Group align="flex-start" wrap="nowrap" mb="md">
          <AppIcon app={app} size={48} />
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {app.description}
          </Text>
        </Group>
        <Details
          of={{
            Id: pluginId,
            'Enabled version': enabled?.version ?? '–',
            Draft: draft?.version ?? '–',
            For: app.audience === 'project' ? 'The project' : 'Its owner',
            Owner: app.owner,
            Changed: <TimeAgo at={app.updatedAt} />
          }}
        />
      </Panel>
      <Panel title="Pages">
        {app.pages.length === 0 && <Nothing>It has no pages.</Nothing>}
        <List size="sm" listStyleType="none" spacing={4}>
          {app.pages.map(({ name, title }) => (
            <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
              {app.status === 'enabled' ? (
                <Anchor component={Link} href={`/apps/${pluginId}/pages/${name}`} size="sm">
                  {title}
                </Anchor>
              ) : (
                `${title} (once it is enabled)`
              )}
            </List.Item>
          ))}
        </List>
      </Panel>
      <Panel title="Functions">
        {app.functions.length === 0 && <Nothing>It has no functions.</Nothing>}
        <Stack gap="sm">
          {app.functions.map(({ name, title, description, tool }) => (
            <div key={name}>
              <Text size="sm" fw={550}>
                {title ?? name}
              </Text>
              <Text size="sm" c="dimmed" lineClamp={4} style={{ overflowWrap: 'anywhere' }}>
                {description}
              </Text>
              {tool && (
                <Text size="xs" c="dimmed">
                  Agents and workflows may be given it as a tool.
                </Text>
              )}
            </div>
          ))}
        </Stack>
      </Panel>
      <Removal app={app} />
    </Stack>
  )
}

const Nothing = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

/** Enabling goes by the permissions, so that nobody agrees unread. */
function Standing({ app: { pluginId, status, version } }: { app: App }) {
  const stopping = useAction({
    run: () =>
      api.put('/v1/ui-plugins/{pluginId}/status', {
        params: { path: { pluginId } },
        body: { status: 'off' },
        headers: { 'if-match': `"${version}"` }
      }),
    changes: [['apps']],
    done: 'The app is off'
  })
  if (status !== 'enabled')
    return (
      <Button component={Link} href={`/apps/${pluginId}/permissions`} size="sm">
        Review and enable
      </Button>
    )
  return (
    <ConfirmButton
      title="Turn off this app?"
      warning="Its pages, functions and tools stop working at once for all who use it. Its data, keys and permissions stay."
      onClick={() => stopping.mutate()}
      loading={stopping.isPending}
    >
      Turn off
    </ConfirmButton>
  )
}

function Removal({ app: { pluginId, name, version } }: { app: App }) {
  const [, navigate] = useLocation()
  const deleting = useAction({
    run: () =>
      api.delete('/v1/ui-plugins/{pluginId}', {
        params: { path: { pluginId } },
        headers: { 'if-match': `"${version}"` }
      }),
    changes: [
      ['apps', 'list'],
      ['apps', 'of the layout']
    ],
    done: 'The app is deleted',
    onDone: () => navigate('/apps')
  })
  return (
    <Panel title="Delete" description="With its versions, keys, pins and all data that it keeps.">
      <ConfirmButton
        title={`Delete ${name}?`}
        warning="All its versions, saved keys, logs and stored data are deleted. This cannot be undone."
        onClick={() => deleting.mutate()}
        loading={deleting.isPending}
      >
        Delete app
      </ConfirmButton>
    </Panel>
  )
}
