import { Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, EmptyState, ListTable, PageFrame, TimeAgo, useList, useSession } from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'
import { useSearchParams } from 'wouter'
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
        <ListTable
          label="Sessions"
          list={list}
          empty={
            <EmptyState icon={MessagesSquare} title="No sessions yet">
              A session begins with the first message to an agent. Open one and say something.
            </EmptyState>
          }
          columns={[
            { header: 'Title', to: ({ id }) => `/sessions/${id}`, cell: ({ title }) => title ?? 'Untitled' },
            { header: 'Agent', cell: ({ agentId }) => nameOf(agentId), maxWidth: 220 },
            { header: 'Started by', cell: ({ initiator }) => initiator },
            { header: 'Started', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
            { header: 'Last said', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
          ]}
        />
      </Stack>
    </PageFrame>
  )
}
