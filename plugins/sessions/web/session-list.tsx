import { Anchor, Select, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, EmptyState, ListView, PageFrame, TimeAgo, useList, useSession } from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { agentsQuery } from './queries.ts'

/** The caller's own sessions, or those with one agent. */
export default function SessionList() {
  const { principal } = useSession()
  const [search, setSearch] = useSearchParams()
  const agentId = search.get('agent')
  const initiator = principal?.id ?? ''
  const agents = useQuery(agentsQuery)
  const list = useList(['sessions', 'list', agentId ?? `of ${initiator}`], (cursor, signal) => {
    const query = { limit: 50, cursor }
    return agentId
      ? api.get('/v1/sessions/agent/{agentId}', { params: { path: { agentId }, query }, signal })
      : api.get('/v1/sessions/user/{initiator}', { params: { path: { initiator }, query }, signal })
  })
  const nameOf = (id: string) => agents.data?.find((agent) => agent.id === id)?.name ?? id
  const options = (agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <PageFrame title="Sessions" description="Conversations with agents, and what was said in them.">
      <Stack gap="lg">
        <Select
          label="Agent"
          placeholder="Those that you began"
          data={options}
          value={agentId}
          onChange={(agent) => setSearch(agent ? { agent } : {})}
          searchable
          clearable
          nothingFoundMessage="No agent of that name"
          maw={320}
        />
        <ListView
          list={list}
          empty={
            <EmptyState icon={MessagesSquare} title="No sessions yet">
              A session begins with the first message to an agent. Open one and say something.
            </EmptyState>
          }
        >
          {(sessions) => (
            <Table.ScrollContainer minWidth={560}>
              <Table verticalSpacing="sm" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Title</Table.Th>
                    <Table.Th>Agent</Table.Th>
                    <Table.Th>Begun by</Table.Th>
                    <Table.Th>Begun</Table.Th>
                    <Table.Th>Last said</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {sessions.map(({ id, title, agentId, initiator, createdAt, updatedAt }) => (
                    <Table.Tr key={id}>
                      <Table.Td maw={360} style={{ overflowWrap: 'anywhere' }}>
                        <Anchor component={Link} href={`/sessions/${id}`} fw={550} c="inherit">
                          {title ?? 'Untitled'}
                        </Anchor>
                      </Table.Td>
                      <Table.Td maw={220} style={{ overflowWrap: 'anywhere' }}>
                        {nameOf(agentId)}
                      </Table.Td>
                      <Table.Td>{initiator}</Table.Td>
                      <Table.Td>
                        <TimeAgo at={createdAt} />
                      </Table.Td>
                      <Table.Td>
                        <TimeAgo at={updatedAt} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </ListView>
      </Stack>
    </PageFrame>
  )
}
