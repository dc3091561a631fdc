import { Alert, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock, Loaded, PageFrame, Panel, StatusBadge } from 'agent-platform/console'
import { useLocation, useParams } from 'wouter'
import { Calls } from './call-list.tsx'
import type { Tool } from './queries.ts'
import { toolQuery } from './queries.ts'
import { ToolCredentials } from './tool-credentials.tsx'
import { ToolEditor } from './tool-editor.tsx'
import { ToolPermissions } from './tool-permissions.tsx'
import { ToolTrial } from './tool-trial.tsx'

/** A tool: what it takes, a trial of it, who may use it, and its definition. */
export default function ToolPage() {
  const { name = '', tab = 'overview' } = useParams()
  const [, navigate] = useLocation()
  const tool = useQuery(toolQuery(name))
  const { data } = tool
  return (
    <PageFrame
      title={data?.name ?? name}
      crumbs={[{ label: 'Tools', to: '/tools' }]}
      badge={data && <StatusBadge status={data.available ? 'available' : 'unavailable'} />}
    >
      <Loaded query={tool}>
        {(tool) => (
          <Tabs
            value={tabsOf(tool).includes(tab) ? tab : 'overview'}
            onChange={(tab) => navigate(tab === 'overview' ? `/tools/${name}` : `/tools/${name}/${tab}`)}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              <Tabs.Tab value="overview">Overview</Tabs.Tab>
              <Tabs.Tab value="try">Try it</Tabs.Tab>
              <Tabs.Tab value="calls">Calls</Tabs.Tab>
              {tabsOf(tool).includes('credentials') && <Tabs.Tab value="credentials">Credentials</Tabs.Tab>}
              {tabsOf(tool).includes('access') && <Tabs.Tab value="access">Access</Tabs.Tab>}
              {tabsOf(tool).includes('edit') && <Tabs.Tab value="edit">Edit</Tabs.Tab>}
            </Tabs.List>
            <Tabs.Panel value="overview">
              <Overview tool={tool} />
            </Tabs.Panel>
            <Tabs.Panel value="try">
              <ToolTrial tool={tool} />
            </Tabs.Panel>
            <Tabs.Panel value="calls">
              <Calls toolId={tool.id} />
            </Tabs.Panel>
            <Tabs.Panel value="credentials">
              <ToolCredentials tool={tool} />
            </Tabs.Panel>
            <Tabs.Panel value="access">
              <ToolPermissions toolId={tool.id} />
            </Tabs.Panel>
            <Tabs.Panel value="edit">
              <ToolEditor key={tool.id} tool={tool} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** Others have what they need of their own pack. */
const takesCredentials = new Set(['http', 'a2a'])

/** Those that packs bring or keep are changed there. */
const tabsOf = ({ kind, owner }: Tool): string[] => [
  'overview',
  'try',
  'calls',
  ...(owner !== null && takesCredentials.has(kind) ? ['credentials'] : []),
  ...(owner === null ? [] : ['access']),
  ...(owner !== null && kind === 'http' ? ['edit'] : [])
]

const Overview = ({ tool }: { tool: Tool }) => {
  const { description, kind, owner, idempotent, unavailable, parameters, config } = tool
  return (
    <Stack gap="lg">
      {unavailable && (
        <Alert color="orange" variant="light" title="Agents are not offered it">
          {unavailable}
        </Alert>
      )}
      <Panel
        title="What it does"
        description={owner ? `${kind === 'http' ? 'HTTP' : kind} tool of ${owner}` : 'Built in, for everyone'}
      >
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {description}
        </Text>
        {idempotent && (
          <Text size="sm" c="dimmed" mt="xs">
            It may be called again where the outcome of a call is unknown.
          </Text>
        )}
      </Panel>
      <Panel title="Parameters" description="JSON Schema; arguments are checked by it.">
        <CodeBlock value={parameters} label="Parameters" />
      </Panel>
      {Object.keys(config).length > 0 && (
        <Panel title="Request">
          <CodeBlock value={config} label="Request" />
        </Panel>
      )}
    </Stack>
  )
}
