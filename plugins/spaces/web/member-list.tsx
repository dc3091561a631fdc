import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { AgentSelect, api, ConfirmButton, Panel, useAction } from 'agent-platform/console'
import { useState } from 'react'
import type { Member, Space } from './use-live-space.ts'
import { fullKey } from './use-live-space.ts'

const answers = [
  { value: 'mentioned', label: 'Answers when mentioned' },
  { value: 'always', label: 'Answers always' },
  { value: 'never', label: 'Never answers' }
] as const

/** Who is in the space, and is there now. */
export function MemberList({ space, own }: { space: Space; own: Member | undefined }) {
  const mayManage = space.role === 'admin' || space.role === 'owner'
  return (
    <Panel title="Members">
      <Stack gap="sm" component="ul" style={{ listStyle: 'none' }} p={0} m={0}>
        {space.members.toReversed().map((member) => (
          <Row key={member.id} member={member} isOwn={member.id === own?.id} mayManage={mayManage} />
        ))}
      </Stack>
      {mayManage && <AddMember space={space} />}
    </Panel>
  )
}

function Row({ member, isOwn, mayManage }: { member: Member; isOwn: boolean; mayManage: boolean }) {
  const { id: memberId, spaceId, name, role, subjectType, isPresent } = member
  const params = { path: { spaceId, memberId } }
  const changes = [fullKey(spaceId)]
  const changing = useAction({
    run: (value: (typeof answers)[number]['value']) =>
      api.put('/v1/spaces/{spaceId}/members/{memberId}', { params, body: { answers: value } }),
    changes
  })
  const removing = useAction({
    run: () => api.delete('/v1/spaces/{spaceId}/members/{memberId}', { params }),
    changes
  })
  return (
    <Stack component="li" gap={4}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs" miw={0}>
          <Text size="sm" truncate maw={180}>
            {name}
          </Text>
          <Badge variant="default" radius="sm" tt="none">
            {subjectType === 'agent' ? 'agent' : role}
          </Badge>
          {isPresent && (
            <Text size="xs" c="dimmed">
              here
            </Text>
          )}
        </Group>
        {mayManage && !isOwn && (
          <ConfirmButton
            size="compact-xs"
            variant="subtle"
            aria-label={`Remove ${name}`}
            title={`Remove ${name}?`}
            warning="It reads and follows the space no more."
            onClick={() => removing.mutate()}
          >
            Remove
          </ConfirmButton>
        )}
      </Group>
      {subjectType === 'agent' && (
        <Select
          size="xs"
          aria-label={`When ${name} answers`}
          data={answers.map(({ value, label }) => ({ value, label }))}
          value={member.answers}
          disabled={!mayManage}
          allowDeselect={false}
          onChange={(value) => {
            const chosen = answers.find((it) => it.value === value)
            if (chosen) changing.mutate(chosen.value)
          }}
        />
      )}
    </Stack>
  )
}

function AddMember({ space: { id: spaceId, members } }: { space: Space }) {
  const [agentId, setAgentId] = useState<string | null>(null)
  const [person, setPerson] = useState('')
  const adding = useAction({
    run: (body: { subjectType: 'user' | 'agent'; subjectId: string }) =>
      api.post('/v1/spaces/{spaceId}/members', { params: { path: { spaceId } }, body }),
    changes: [fullKey(spaceId)],
    onDone() {
      setAgentId(null)
      setPerson('')
    }
  })
  return (
    <Stack gap="xs" mt="md">
      <AgentSelect
        label="Add an agent"
        value={agentId}
        onChange={setAgentId}
        without={members.map(({ subjectId }) => subjectId)}
      />
      <Button
        variant="default"
        disabled={agentId === null}
        onClick={() => agentId && adding.mutate({ subjectType: 'agent', subjectId: agentId })}
      >
        Add agent
      </Button>
      <TextInput
        label="Add a person, by principal id"
        value={person}
        maxLength={128}
        onChange={({ currentTarget: { value } }) => setPerson(value.trim())}
      />
      <Button
        variant="default"
        disabled={person === ''}
        onClick={() => adding.mutate({ subjectType: 'user', subjectId: person })}
      >
        Add person
      </Button>
    </Stack>
  )
}
