import { Anchor, Button, Group, Select, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, ConfirmButton, EmptyState, Loaded, useAction } from 'agent-platform/console'
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
          {reads.length === 0 ? (
            <EmptyState icon={BookOpen} title="The agent reads nothing yet">
              Choose a space above. Spaces are made on the page{' '}
              <Anchor component={Link} href="/knowledge" size="sm" underline="always">
                Knowledge
              </Anchor>
              .
            </EmptyState>
          ) : (
            <Table.ScrollContainer minWidth={420}>
              <Table verticalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Space</Table.Th>
                    <Table.Th>Level</Table.Th>
                    <Table.Th>
                      <VisuallyHidden>Revoke</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {reads.map(({ space, grant }) => (
                    <Table.Tr key={space.id}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        <Anchor component={Link} href={`/knowledge/${space.id}`} fw={550} fz="sm" c="inherit">
                          {space.name}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>
                        {grant.level}
                        {grant.subjectType === 'project' && (
                          <Text size="xs" c="dimmed">
                            as everybody of the project
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">
                        {grant.subjectType === 'agent' && (
                          <ConfirmButton
                            size="compact-sm"
                            title="Take the space from the agent?"
                            warning={`Its next search does not find anything of ${space.name} any more. Nothing is deleted.`}
                            onClick={() => revoking.mutate({ spaceId: space.id, grantId: grant.id })}
                          >
                            Revoke
                          </ConfirmButton>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
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
    <form
      onSubmit={(event) => {
        event.preventDefault()
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
    </form>
  )
}
