import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, DataTable, EmptyState, Form, Loaded, useAction } from 'agent-platform/console'
import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { agentGrantsQuery } from './agent-grants.ts'

/** The spaces that the agent reads, as far as the caller manages or may see them. */
export default function AgentKnowledge({ agentId }: { agentId: string }) {
  const granted = useQuery(agentGrantsQuery(agentId))
  const changes = [agentGrantsQuery(agentId).queryKey]
  const revoking = useAction({
    run: (path: { spaceId: string; grantId: string }) =>
      api.delete('/v1/knowledge/{spaceId}/grants/{grantId}', { params: { path } }),
    changes,
    done: 'The agent reads the space no more'
  })
  return (
    <Loaded query={granted}>
      {({ reads, others }) => (
        <Stack gap="lg" maw={860}>
          <Text size="sm" c="dimmed">
            The agent searches these spaces in its runs, and cites what it finds. What its owner has it does
            not read.
          </Text>
          <GrantForm agentId={agentId} spaces={others} />
          <DataTable
            label="Spaces that the agent reads"
            rows={reads}
            keyOf={({ space }) => space.id}
            empty={
              <EmptyState icon={BookOpen} title="The agent reads nothing yet">
                Choose a space above. Spaces are made on the page{' '}
                <Anchor component={Link} href="/knowledge" size="sm" underline="always">
                  Knowledge
                </Anchor>
                .
              </EmptyState>
            }
            columns={[
              {
                header: 'Space',
                to: ({ space }) => `/knowledge/${space.id}`,
                cell: ({ space }) => space.name
              },
              {
                header: 'Level',
                cell: ({ grant }) => grant.level,
                note: ({ grant }) => grant.subjectType === 'project' && 'as everybody of the project'
              },
              {
                header: 'Revoke',
                isAction: true,
                cell: ({ space, grant }) =>
                  grant.subjectType === 'agent' && (
                    <ConfirmButton
                      size="compact-sm"
                      title="Take the space from the agent?"
                      warning={`Its next search does not find anything of ${space.name} any more. Nothing is deleted.`}
                      onClick={() => revoking.mutate({ spaceId: space.id, grantId: grant.id })}
                    >
                      Revoke
                    </ConfirmButton>
                  )
              }
            ]}
          />
        </Stack>
      )}
    </Loaded>
  )
}

function GrantForm(props: { agentId: string; spaces: readonly { id: string; name: string }[] }) {
  const { agentId, spaces } = props
  const [spaceId, setSpaceId] = useState<string | null>(null)
  const [level, setLevel] = useState<'read' | 'write'>('read')
  const granting = useAction({
    run: (spaceId: string) =>
      api.post('/v1/knowledge/{spaceId}/grants', {
        params: { path: { spaceId } },
        body: { subjectType: 'agent', subjectId: agentId, level }
      }),
    changes: [agentGrantsQuery(agentId).queryKey],
    done: 'The agent reads the space',
    onDone: () => setSpaceId(null)
  })
  return (
    <Form
      action={granting}
      onSubmit={() => {
        if (spaceId) granting.mutate(spaceId)
      }}
    >
      <Group align="flex-end" gap="sm">
        <Select
          label="Space"
          placeholder="Choose a space"
          data={spaces.map(({ id, name }) => ({ value: id, label: name }))}
          value={spaceId}
          onChange={setSpaceId}
          searchable
          nothingFoundMessage="No other space that you manage"
          w={260}
        />
        <Select
          label="Level"
          data={[
            { value: 'read', label: 'read and search' },
            { value: 'write', label: 'edit too' }
          ]}
          value={level}
          onChange={(next) => setLevel(next === 'write' ? 'write' : 'read')}
          allowDeselect={false}
          w={170}
        />
        <Button type="submit" disabled={!spaceId} loading={granting.isPending}>
          Give to the agent
        </Button>
      </Group>
    </Form>
  )
}
