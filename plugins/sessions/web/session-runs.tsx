import { Anchor, Table } from '@mantine/core'
import { EmptyState, ListView, TimeAgo } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'
import { Play } from 'lucide-react'
import { Link } from 'wouter'
import { useTranscript } from './use-transcript.ts'

type Message = Schemas['TranscriptMessage']

/** The runs that said something in a session, as its messages name them. */
export function SessionRuns({ sessionId }: { sessionId: string }) {
  const list = useTranscript(sessionId)
  return (
    <ListView list={list} empty={<EmptyState icon={Play} title="No runs yet" />}>
      {(messages) => (
        <Table.ScrollContainer minWidth={480}>
          <Table verticalSpacing="sm" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Asked</Table.Th>
                <Table.Th>Calls</Table.Th>
                <Table.Th>Began</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {runsOf(messages).map(({ id, asked, calls, at }) => (
                <Table.Tr key={id}>
                  <Table.Td maw={480} style={{ overflowWrap: 'anywhere' }}>
                    <Anchor component={Link} href={`/runs/${id}`} size="sm">
                      {asked || 'Run'}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{calls}</Table.Td>
                  <Table.Td>
                    <TimeAgo at={at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
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
