import { Button, Group, Select, Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, DataTable, EmptyState, Loaded, Panel, useAction } from 'agent-platform/console'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { Calls } from './call-list.tsx'
import type { Assignment } from './queries.ts'
import { accessibleQuery, assignmentsQuery, policies } from './queries.ts'

/** What an agent can do: its tools, whether it may call each by itself, and what it called. */
export default function AgentTools({ agentId }: { agentId: string }) {
  const assignments = useQuery(assignmentsQuery(agentId))
  return (
    <Stack gap="lg">
      <Panel
        title="Tools of the agent"
        description="It is offered those that are on. A person can be asked before each call."
      >
        <Stack gap="lg">
          <Loaded query={assignments}>
            {(assignments) => (
              <>
                <AssignForm agentId={agentId} assignments={assignments} />
                <Assignments agentId={agentId} assignments={assignments} />{' '}
              </>
            )}
          </Loaded>
        </Stack>
      </Panel>
      <Panel title="Calls">
        <Calls agentId={agentId} />
      </Panel>
    </Stack>
  )
}

function AssignForm({ agentId, assignments }: { agentId: string; assignments: readonly Assignment[] }) {
  const { data: tools = [] } = useQuery(accessibleQuery)
  const [toolId, setToolId] = useState<string | null>(null)
  const [policy, setPolicy] = useState<Assignment['policy']>('allow')
  const assigning = useAction({
    run: (toolId: string) =>
      api.post('/v1/agents/{agentId}/tools', { params: { path: { agentId } }, body: { toolId, policy } }),
    changes: [['tools', 'assigned', agentId]],
    done: 'The agent has the tool now',
    onDone: () => setToolId(null)
  })
  const assigned = new Set(assignments.map(({ toolId }) => toolId))
  const offered = tools
    .filter(({ id }) => !assigned.has(id))
    .map(({ id, name }) => ({ value: id, label: name }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Tool"
        placeholder="Choose a tool"
        data={offered}
        value={toolId}
        onChange={setToolId}
        searchable
        limit={100}
        nothingFoundMessage="No tool of that name"
        flex={1}
        miw={200}
      />
      <PolicySelect label="Policy" value={policy} onChange={setPolicy} />
      <Button
        onClick={() => toolId && assigning.mutate(toolId)}
        disabled={!toolId}
        loading={assigning.isPending}
      >
        Assign
      </Button>
    </Group>
  )
}

function PolicySelect(props: {
  label: string
  isHidden?: boolean
  value: Assignment['policy']
  onChange: (policy: Assignment['policy']) => void
}) {
  const { label, isHidden, value, onChange } = props
  return (
    <Select
      {...(isHidden ? { 'aria-label': label } : { label })}
      data={policies}
      value={value}
      onChange={(next) => onChange((next ?? 'allow') as Assignment['policy'])}
      allowDeselect={false}
      w={240}
    />
  )
}

function Assignments({ agentId, assignments }: { agentId: string; assignments: readonly Assignment[] }) {
  const changes = [['tools', 'assigned', agentId]]
  const changing = useAction({
    run: ({ id, ...body }: { id: string; policy?: Assignment['policy']; enabled?: boolean }) =>
      api.patch('/v1/agents/tools/{id}', { params: { path: { id } }, body }),
    changes
  })
  const removing = useAction({
    run: ({ id }: Assignment) => api.delete('/v1/agents/tools/{id}', { params: { path: { id } } }),
    changes,
    done: (_, { toolName }) => `${toolName} is taken away`
  })
  return (
    <DataTable
      label="Tools of the agent"
      rows={assignments}
      empty={
        <EmptyState icon={Wrench} title="No tools yet">
          Without a tool an agent only talks.
        </EmptyState>
      }
      columns={[
        {
          header: 'Tool',
          to: ({ toolId }) => `/tools/${toolId}`,
          cell: ({ toolName }) => toolName,
          note: ({ policy }) => policy === 'deny' && 'It is never called.',
          maxWidth: 320
        },
        {
          header: 'Policy',
          cell: ({ id, toolName, policy }) => (
            <PolicySelect
              label={`Policy of ${toolName}`}
              isHidden
              value={policy}
              onChange={(policy) => changing.mutate({ id, policy })}
            />
          )
        },
        {
          header: 'On',
          cell: ({ id, toolName, enabled }) => (
            <Switch
              aria-label={`${toolName} is on`}
              checked={enabled}
              disabled={changing.isPending && changing.variables.id === id}
              onChange={({ currentTarget }) => changing.mutate({ id, enabled: currentTarget.checked })}
            />
          )
        },
        {
          header: 'Remove',
          isAction: true,
          cell: (assignment) => (
            <ConfirmButton
              size="compact-sm"
              title={`Take ${assignment.toolName} away?`}
              warning="The agent is not offered it any more, and a call that it makes is refused."
              onClick={() => removing.mutate(assignment)}
              loading={removing.isPending && removing.variables.id === assignment.id}
            >
              Remove
            </ConfirmButton>
          )
        }
      ]}
    />
  )
}
