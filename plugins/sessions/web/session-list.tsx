import { Stack } from '@mantine/core'
import {
  AgentLink,
  AgentSelect,
  api,
  EmptyState,
  ListTable,
  PageFrame,
  TimeAgo,
  useList,
  useListSearch,
  useSession
} from 'agent-platform/console'
import { MessagesSquare } from 'lucide-react'
import { useSearchParams } from 'wouter'

/** The caller's own sessions, or those with one agent. */
export default function SessionList() {
  const { principal } = useSession()
  const [search, setSearch] = useSearchParams()
  const agentId = search.get('agent')
  const initiator = principal?.id ?? ''
  const find = useListSearch('sessions')
  const list = useList(
    ['sessions', 'list', agentId ?? `of ${initiator}`],
    (cursor, signal) => {
      const query = { limit: 50, cursor, query: find.query }
      return agentId
        ? api.get('/v1/sessions/agent/{agentId}', { params: { path: { agentId }, query }, signal })
        : api.get('/v1/sessions/user/{initiator}', { params: { path: { initiator }, query }, signal })
    },
    { search: find }
  )
  return (
    <PageFrame title="Sessions" description="Conversations with agents, and what was said in them.">
      <Stack gap="lg">
        <AgentSelect
          placeholder="Those that you began"
          value={agentId}
          onChange={(agent) => setSearch(agent ? { agent } : {})}
          clearable
          maw={320}
        />
        <ListTable
          label="Sessions"
          list={list}
          search={find}
          empty={
            <EmptyState icon={MessagesSquare} title="No sessions yet">
              A session begins with the first message to an agent. Open one and say something.
            </EmptyState>
          }
          columns={[
            { header: 'Title', to: ({ id }) => `/sessions/${id}`, cell: ({ title }) => title ?? 'Untitled' },
            { header: 'Agent', cell: ({ agentId }) => <AgentLink agentId={agentId} />, maxWidth: 220 },
            { header: 'Started by', cell: ({ initiator }) => initiator },
            { header: 'Started', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
            { header: 'Last said', cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> }
          ]}
        />
      </Stack>
    </PageFrame>
  )
}
