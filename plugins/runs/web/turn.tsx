import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice, Markdown } from 'agent-platform/console'
import { memo } from 'react'
import classes from './chat.module.css'
import { Citations } from './citations.tsx'
import { GivenMessages } from './given-messages.tsx'
import { recordQuery, runQuery } from './queries.ts'
import { RunEnd } from './run-end.tsx'
import type { Called } from './run-view.ts'
import { ToolCall, ToolResult } from './tool-call.tsx'
import type { Answered, TurnOfSession } from './turns.ts'
import { isAnswered } from './turns.ts'

/** A turn as the session keeps it. */
export const Turn = memo(function Turn(props: { turn: TurnOfSession; agentName: string; isNewest: boolean }) {
  const { turn, agentName, isNewest } = props
  const { runId, given, answers } = turn
  // The record says neither how a run ended nor what its answer stands on, and asking for each would be a request a turn.
  const needsRun = isNewest || !isAnswered(turn) || mayCite(answers)
  const run = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== null && needsRun })
  return (
    <div className={classes.turn}>
      <GivenMessages messages={given} />
      {(runId !== null || answers.length > 0) && (
        <article className={classes.answer} aria-label={`Answer of ${agentName}`}>
          {answers.map(({ id, content, toolCalls }) => (
            <div key={id} className={classes.answer}>
              {content && <Markdown text={content} />}
              {toolCalls.map(({ callId, toolName, args }) => (
                <ToolCall key={callId} toolName={toolName} args={args} state="recorded">
                  {() => <Recorded runId={runId} callId={callId} />}
                </ToolCall>
              ))}
            </div>
          ))}
          <Citations citations={run.data?.citations ?? []} />
          {runId && (
            <RunEnd run={{ ...run.data, id: runId, content: answers.map((it) => it.content).join('\n\n') }} />
          )}
        </article>
      )}
    </div>
  )
})

/** The result of a call, which is read when it is asked for. */
function Recorded({ runId, callId }: { runId: string | null; callId: string }) {
  const record = useQuery({ ...recordQuery(runId ?? ''), enabled: runId !== null })
  if (record.error) return <ErrorNotice error={record.error} retry={() => record.refetch()} />
  if (!record.data) return <Skeleton height={40} />
  const call = record.data.parts.find(
    (part): part is Called => part.kind === 'call' && part.callId === callId
  )
  return call && <ToolResult toolName={call.toolName} output={call.output} isError={call.isError} />
}

/** Only runs that called tools cite, as `[1]`. */
const mayCite = (answers: readonly Answered[]): boolean =>
  answers.some(({ toolCalls }) => toolCalls.length > 0) &&
  answers.some(({ content }) => /\[\d+\]/.test(content))
