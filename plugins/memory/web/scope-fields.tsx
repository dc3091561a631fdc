import { ActionIcon, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { AgentSelect, useAgentNames } from 'agent-platform/console'
import { Trash2 } from 'lucide-react'
import type { SharedScope } from './queries.ts'

export type ScopeDraft = Pick<SharedScope, 'name' | 'description' | 'agents'>
type Access = SharedScope['agents'][number]['access']

/** What a shared scope is for, and which agents read or write it. */
export function ScopeFields(props: { draft: ScopeDraft; onChange: (draft: ScopeDraft) => void }) {
  const { draft, onChange } = props
  const { agents } = draft
  const names = useAgentNames(agents.map(({ agentId }) => agentId))
  return (
    <>
      <TextInput
        label="Name"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        maxLength={200}
        required
        data-autofocus
      />
      <Textarea
        label="What belongs in it"
        description="Agents that write are told it."
        value={draft.description ?? ''}
        onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value || null })}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1_000}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          Agents
        </Text>
        {agents.map(({ agentId, access }) => (
          <Group key={agentId} wrap="nowrap" gap="xs">
            <Text size="sm" flex={1} miw={0} truncate>
              {names.get(agentId) ?? agentId}
            </Text>
            <Select
              aria-label={`Access of ${names.get(agentId) ?? agentId}`}
              data={[
                { value: 'read', label: 'reads' },
                { value: 'write', label: 'reads and writes' }
              ]}
              value={access}
              onChange={(next) =>
                onChange({
                  ...draft,
                  agents: agents.map((it) =>
                    it.agentId === agentId ? { agentId, access: next as Access } : it
                  )
                })
              }
              allowDeselect={false}
              w={170}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`Remove ${names.get(agentId) ?? agentId}`}
              onClick={() => onChange({ ...draft, agents: agents.filter((it) => it.agentId !== agentId) })}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </Group>
        ))}
        <AgentSelect
          label={null}
          aria-label="Add an agent"
          placeholder="Add an agent"
          value={null}
          without={agents.map(({ agentId }) => agentId)}
          onChange={(agentId) =>
            agentId && onChange({ ...draft, agents: [...agents, { agentId, access: 'read' }] })
          }
        />
      </Stack>
    </>
  )
}
