import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ErrorNotice, Form, Loaded, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'
import { Consent } from './consent.tsx'
import type { Grants } from './grant-fields.tsx'
import { GrantFields } from './grant-fields.tsx'
import type { App, Asked } from './queries.ts'
import { askedQuery } from './queries.ts'

/** What the latest version could do, and what it may: read before one agrees. */
export function AppPermissions({ app }: { app: App }) {
  const { enabled, draft } = app
  const version = (draft ?? enabled)?.version ?? ''
  const asked = useQuery(askedQuery(app.pluginId, version))
  return (
    <Stack>
      {app.status === 'enabled' && draft && enabled && (
        <Alert variant="light" title={`Version ${enabled.version} goes on until you agree to ${version}`}>
          Below is what {version} asks for.
        </Alert>
      )}
      <Panel
        title={`What version ${version} asks for`}
        description="And may not do yet. It never reaches more than the person or agent that uses it."
      >
        <Consent items={app.consent} />
      </Panel>
      <Loaded query={asked}>
        {(asked) => <Permissions key={`${app.version} ${version}`} {...{ app, asked, version }} />}
      </Loaded>
    </Stack>
  )
}

function Permissions({ app, asked, version }: { app: App; asked: Asked; version: string }) {
  const [grants, setGrants] = useState<Grants>(() => stillAsked(app.grants, asked))
  const [audience, setAudience] = useState(app.audience)
  const isOn = app.status === 'enabled' && app.draft === null
  const params = { path: { pluginId: app.pluginId } }
  // What was read is what is agreed to: 412 where the app has changed meanwhile.
  const headers = { 'if-match': `"${app.version}"` }
  const saving = useAction({
    run: () =>
      isOn && audience === app.audience
        ? api.put('/v1/ui-plugins/{pluginId}/grants', { params, headers, body: grants })
        : api.put('/v1/ui-plugins/{pluginId}/status', {
            params,
            headers,
            body: { status: 'enabled', version, audience, grants }
          }),
    changes: [['apps']],
    done: isOn ? 'The permissions are saved' : `Version ${version} is enabled`,
    isQuiet: true
  })
  return (
    <Panel
      title="What it may do"
      description="You may grant less than it asks for, and change it at any time: it counts from the next call on."
    >
      <Form action={saving} onSubmit={() => saving.mutate()}>
        <Stack>
          <GrantFields asked={asked} grants={grants} onChange={setGrants} />
          <Stack gap={4} align="flex-start">
            <Text size="sm" fw={500} id="audience">
              Who may use it
            </Text>
            <SegmentedControl
              aria-labelledby="audience"
              data={[
                { value: 'owner', label: 'Only its owner' },
                { value: 'project', label: 'The whole project' }
              ]}
              value={audience}
              onChange={(next) => setAudience(next as App['audience'])}
            />
            <Text size="xs" c="dimmed">
              For the project it is enabled by an operator.
            </Text>
          </Stack>
          {saving.error ? <ErrorNotice error={saving.error} /> : null}
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isPending}>
              {isOn
                ? 'Save permissions'
                : app.status === 'enabled'
                  ? `Agree and update to ${version}`
                  : `Agree and enable ${version}`}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}

/** A version that asks for less is granted no more than that. */
const stillAsked = (grants: Grants, { capabilities, egress }: Asked): Grants => ({
  capabilities: grants.capabilities.filter(({ name }) => capabilities.some((it) => it.name === name)),
  hosts: grants.hosts.filter((host) =>
    egress.some((it) => it.host === host || (it.host.startsWith('*.') && host.endsWith(it.host.slice(1))))
  )
})
