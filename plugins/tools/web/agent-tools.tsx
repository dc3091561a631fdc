import { Anchor, Button, Group, Select, Stack, Switch, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, EmptyState, Loaded, Panel, useAction } from 'agent-platform/console'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
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
                {assignments.length > 0 ? (
                  <Assignments assignments={assignments} />
                ) : (
                  <EmptyState icon={Wrench} title="No tools yet">
                    Without a tool an agent only talks.
                  </EmptyState>
                )}
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
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Tool"
        placeholder="Choose a tool"
        data={tools.filter(({ id }) => !assigned.has(id)).map(({ id, name }) => ({ value: id, label: name }))}
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

const Assignments = ({ assignments }: { assignments: readonly Assignment[] }) => (
  <Table.ScrollContainer minWidth={620}>
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Tool</Table.Th>
          <Table.Th>Policy</Table.Th>
          <Table.Th>On</Table.Th>
          <Table.Th>Action</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {assignments.map((assignment) => (
          <AssignmentRow key={assignment.id} assignment={assignment} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

function AssignmentRow({
  assignment: { id, agentId, toolId, toolName, policy, enabled }
}: {
  assignment: Assignment
}) {
  const path = { id }
  const changes = [['tools', 'assigned', agentId]]
  const changing = useAction({
    run: (body: { policy?: Assignment['policy']; enabled?: boolean }) =>
      api.patch('/v1/agents/tools/{id}', { params: { path }, body }),
    changes
  })
  const removing = useAction({
    run: () => api.delete('/v1/agents/tools/{id}', { params: { path } }),
    changes,
    done: `${toolName} is taken away`
  })
  return (
    <Table.Tr>
      <Table.Td maw={320}>
        <Anchor
          component={Link}
          href={`/tools/${toolId}`}
          size="sm"
          fw={550}
          style={{ overflowWrap: 'anywhere' }}
        >
          {toolName}
        </Anchor>
        {policy === 'deny' && (
          <Text size="xs" c="dimmed">
            It is never called.
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <PolicySelect
          label={`Policy of ${toolName}`}
          isHidden
          value={policy}
          onChange={(policy) => changing.mutate({ policy })}
        />
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={`${toolName} is on`}
          checked={enabled}
          disabled={changing.isPending}
          onChange={({ currentTarget }) => changing.mutate({ enabled: currentTarget.checked })}
        />
      </Table.Td>
      <Table.Td>
        <ConfirmButton
          size="compact-sm"
          title={`Take ${toolName} away?`}
          warning="The agent is not offered it any more, and a call that it makes is refused."
          onClick={() => removing.mutate()}
          loading={removing.isPending}
        >
          Remove
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  )
}
