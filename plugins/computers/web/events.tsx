import { api, ListTable, Panel, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { params } from './queries.ts'

interface EventPage {
  readonly data: Schemas['ComputerEvent'][]
  readonly nextCursor: string | null
}

/** What happened to the computer, as it happens. */
export default function Events({ agentId }: { agentId: string }) {
  const list = useList(
    ['computer', agentId, 'events'],
    async (cursor, signal) => {
      const query = { limit: 30, cursor }
      const given = { params: { ...params(agentId), query }, signal }
      // As a list: it is a stream for those who ask for one.
      return (await api.get('/v1/agents/{agentId}/computer/events', given)) as unknown as EventPage
    },
    { refresh: 2_000 }
  )
  return (
    <Panel title="Events">
      <ListTable
        label="Events of the computer"
        list={list}
        empty="Nothing has happened yet."
        columns={[
          { header: 'What', cell: ({ type }) => <StatusBadge status={type} /> },
          { header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
          { header: 'Why or which', cell: ({ reason }) => reason?.replaceAll('_', ' ') ?? '', maxWidth: 420 }
        ]}
      />
    </Panel>
  )
}
