import { Anchor } from '@mantine/core'
import {
  api,
  EmptyState,
  ListTable,
  PageFrame,
  StatusBadge,
  TimeAgo,
  usedText,
  useList
} from 'agent-platform/console'
import { List } from 'lucide-react'
import { Link } from 'wouter'

/** Records of calls of the caller's agents. */
export default function CallList() {
  return (
    <PageFrame
      title="Calls of tools"
      crumbs={[{ label: 'Tools', to: '/tools' }]}
      description="Who called what, how long it took and how big the output was. Arguments and outputs are not kept here."
    >
      <Calls />
    </PageFrame>
  )
}

export function Calls({ agentId, toolId }: { agentId?: string; toolId?: string }) {
  const list = useList(['tools', 'calls', agentId, toolId], (cursor, signal) =>
    api.get('/v1/tools/calls', { params: { query: { agentId, toolId, limit: 25, cursor } }, signal })
  )
  return (
    <ListTable
      label="Calls"
      list={list}
      empty={
        <EmptyState icon={List} title="No calls yet">
          Each call of a tool is recorded.
        </EmptyState>
      }
      columns={[
        {
          header: 'Tool',
          to: ({ toolId }) => `/tools/${toolId}`,
          cell: ({ toolName }) => toolName,
          maxWidth: 280
        },
        {
          header: 'Outcome',
          cell: ({ status }) => <StatusBadge status={status} />,
          note: ({ approved }) => approved && 'approved'
        },
        { header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
        {
          header: 'For',
          cell: ({ actor }) => actor.id,
          note: ({ runId }) =>
            runId && (
              <Anchor component={Link} href={`/runs/${runId}`} size="xs">
                Run
              </Anchor>
            ),
          maxWidth: 200
        },
        {
          header: 'Took',
          cell: ({ milliseconds }) =>
            milliseconds === null ? '–' : `${milliseconds.toLocaleString('en')} ms`,
          note: ({ usage }) => usedText(usage),
          isNumber: true
        },
        {
          header: 'Output',
          cell: ({ size }) => (size === null ? '–' : `${size.toLocaleString('en')} chars`),
          isNumber: true
        }
      ]}
    />
  )
}
