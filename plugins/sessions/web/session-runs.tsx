import { DataTable, EmptyState, ListView, TimeAgo } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Play } from 'lucide-react'
import { useTranscript } from './use-transcript.ts'

type Message = Schemas['TranscriptMessage']

/** The runs that said something in a session, as its messages name them. */
export function SessionRuns({ sessionId }: { sessionId: string }) {
  const list = useTranscript(sessionId)
  return (
    <ListView list={list} empty={<EmptyState icon={Play} title="No runs yet" />}>
      {(messages) => (
        <DataTable
          label="Runs"
          rows={runsOf(messages)}
          columns={[
            {
              header: 'Asked',
              to: ({ id }) => `/runs/${id}`,
              cell: ({ asked }) => asked || 'Run',
              maxWidth: 480
            },
            { header: 'Calls', cell: ({ calls }) => calls, isNumber: true },
            { header: 'Began', cell: ({ at }) => <TimeAgo at={at} /> }
          ]}
        />
      )}
    </ListView>
  )
}

function runsOf(messages: readonly Message[]) {
  const byRun = Map.groupBy(messages, ({ runId }) => runId)
  return [...byRun].flatMap(([id, said]) => {
    if (id === null) return []
    const asked = said.find(({ role }) => role === 'user')?.content.slice(0, 120) ?? ''
    const calls = said.flatMap((it) => (it.role === 'assistant' ? it.toolCalls : [])).length
    return [{ id, asked, calls, at: said.at(-1)?.createdAt }]
  })
}
