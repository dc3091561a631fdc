import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormSchema } from 'agent-platform/console'
import {
  api,
  CodeBlock,
  ErrorNotice,
  Form,
  Loaded,
  Panel,
  SchemaForm,
  StatusBadge,
  useAction
} from 'agent-platform/console'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Tool } from './queries.ts'
import { accessQuery, agentsQuery } from './queries.ts'

/** One call of a tool, as an agent of the caller makes it. */
export function ToolTrial({ tool }: { tool: Tool }) {
  const agents = useQuery(agentsQuery)
  const [search, setSearch] = useSearchParams()
  const agentId = search.get('agent')
  return (
    <Panel
      title="Try it"
      description="The call is a real one: made in the name of an agent, with its policy and its keys."
    >
      <Loaded query={agents}>
        {(agents) => (
          <Stack maw={640}>
            <Select
              label="Agent"
              placeholder="Choose an agent"
              data={agents.map(({ id, name }) => ({ value: id, label: name }))}
              value={agentId}
              onChange={(agent) => setSearch(agent ? { agent } : {}, { replace: true })}
              searchable
              nothingFoundMessage="No agent of that name"
            />
            {agentId && <Trial key={agentId} tool={tool} agentId={agentId} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

function Trial({ tool, agentId }: { tool: Tool; agentId: string }) {
  const access = useQuery(accessQuery(agentId, tool.id))
  const [args, setArgs] = useState<Readonly<Record<string, unknown>>>({})
  const calling = useAction({
    run: () =>
      api.post('/v1/agents/tools', { body: { agentId, toolName: tool.id, args }, idempotencyKey: false }),
    changes: [['tools', 'calls']],
    isQuiet: true
  })
  const outcome = calling.data?.data
  return (
    <Loaded query={access}>
      {({ allowed, reason, policy }) => {
        if (!allowed) return <Refused tool={tool} agentId={agentId} reason={reason} />
        if (policy === 'ask')
          return (
            <Alert color="orange" variant="light" title="A person approves each call">
              It is called from a conversation, where a person can be asked.
            </Alert>
          )
        return (
          <Form action={calling} onSubmit={() => calling.mutate()}>
            <Stack>
              <SchemaForm schema={tool.parameters as FormSchema} value={args} onChange={setArgs} />
              <Group>
                <Button
                  type="submit"
                  leftSection={<Play size={16} aria-hidden />}
                  loading={calling.isPending}
                >
                  Call
                </Button>
              </Group>
              {calling.error ? <ErrorNotice error={calling.error} /> : null}
              {outcome && (
                <Stack gap="xs" role="status">
                  <Group gap="xs">
                    <StatusBadge status={outcome.isError ? 'failed' : 'succeeded'} />
                    <Text size="xs" c="dimmed">
                      {outcome.callId}
                    </Text>
                  </Group>
                  <CodeBlock value={outcome.output} label="Output" />
                </Stack>
              )}
            </Stack>
          </Form>
        )
      }}
    </Loaded>
  )
}

const words: Readonly<Record<string, string>> = {
  not_assigned: 'The agent does not have this tool yet.',
  disabled: 'The tool is switched off for this agent.',
  denied: 'The policy of the agent denies it.',
  principal: 'You may not use this tool.',
  agent: 'The agent may not use this tool: grant it to the agent or its owner.',
  unavailable: 'The tool is not available.'
}

function Refused({ tool, agentId, reason }: { tool: Tool; agentId: string; reason: string }) {
  const assigning = useAction({
    run: () =>
      api.post('/v1/agents/{agentId}/tools', { params: { path: { agentId } }, body: { toolId: tool.id } }),
    changes: [['tools']],
    done: `The agent has ${tool.name} now`
  })
  return (
    <Alert color="orange" variant="light" title="It cannot be called">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{words[reason] ?? reason}</Text>
        {reason === 'not_assigned' && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => assigning.mutate()}
            loading={assigning.isPending}
          >
            Assign it to the agent
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
