import type { ListSearch } from 'agent-platform/console'
import { AgentLink, ListTable, StatusBadge, TimeAgo, useList } from 'agent-platform/console'
import type { ReactNode } from 'react'
import { CancelRun } from './cancel-run.tsx'
import { durationOf } from './durations.ts'
import type { RunFilter } from './run-lists.ts'
import { listKey, nameOf, readRuns, waitsFor } from './run-lists.ts'

const LIMIT = 50
const LOOK_MS = 5_000

/** Runs, the newest first; `empty` where there are none. */
export function RunTable(props: { filter: RunFilter; empty: ReactNode; search?: ListSearch }) {
  const { filter, empty, search } = props
  const wanted = { ...filter, ...(search?.query && { query: search.query }) }
  const list = useList(listKey(filter, LIMIT), (cursor, signal) => readRuns(wanted, LIMIT, cursor, signal), {
    refresh: LOOK_MS,
    search
  })
  const isOfAll = !filter.agentId && !filter.sessionId
  return (
    <ListTable
      label="Runs"
      list={list}
      search={search}
      empty={empty}
      columns={[
        {
          header: 'Run',
          to: ({ id }) => `/runs/${id}`,
          cell: (run) => nameOf(run),
          note: (run) => run.error?.message ?? waitsFor(run),
          maxWidth: 360
        },
        isOfAll && {
          header: 'Agent',
          cell: ({ agentId }) => <AgentLink agentId={agentId} />,
          maxWidth: 200
        },
        { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        {
          header: 'Tokens',
          cell: ({ usage }) => (usage.inputTokens + usage.outputTokens).toLocaleString('en'),
          isNumber: true
        },
        { header: 'Took', cell: (run) => (run.endedAt ? durationOf(run) : '–'), isNumber: true },
        { header: 'Began', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
        {
          header: 'Actions',
          cell: (run) => run.endedAt === null && <CancelRun run={run} />,
          isAction: true
        }
      ]}
    />
  )
}
