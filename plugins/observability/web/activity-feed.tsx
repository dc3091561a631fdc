import { Badge } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { AgentLink, api, baseUrl, ListTable, Panel, TimeAgo, useList } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { useEffect, useState } from 'react'

type Event = Schemas['ActivityEvent']
const KEY = ['observability', 'activity']

/** Who did what, the newest first; what is done meanwhile comes by itself. */
export function ActivityFeed() {
  const isLive = useLive()
  const list = useList(KEY, (cursor, signal) =>
    api.get('/v1/activity/events', { params: { query: { limit: 50, cursor } }, signal })
  )
  return (
    <Panel
      title="Activity"
      actions={
        <Badge variant="light" color={isLive ? 'green' : 'gray'}>
          {isLive ? 'Live' : 'Connecting'}
        </Badge>
      }
    >
      <ListTable
        label="Activity"
        list={list}
        empty="Nothing was done yet."
        columns={[
          { header: 'When', cell: ({ at }: Event) => <TimeAgo at={at} /> },
          { header: 'What', cell: ({ type }) => type, note: ({ subject }) => subject, maxWidth: 320 },
          { header: 'Agent', cell: ({ agentId }) => agentId && <AgentLink agentId={agentId} /> },
          { header: 'By', cell: ({ actor }) => actor, maxWidth: 240 }
        ]}
      />
    </Panel>
  )
}

/** Whether it is followed; each event has the list read anew. */
function useLive(): boolean {
  const queries = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  useEffect(() => {
    const stream = new EventSource(`${baseUrl}/v1/activity/stream`)
    stream.addEventListener('open', () => setIsLive(true))
    stream.addEventListener('error', () => setIsLive(false))
    stream.addEventListener('message', () => void queries.invalidateQueries({ queryKey: KEY }))
    return () => stream.close()
  }, [queries])
  return isLive
}
