import { Button, Group, Loader, Text } from '@mantine/core'
import { ErrorNotice } from 'agent-platform/console'
import { memo, useSyncExternalStore } from 'react'
import { CancelRun } from './cancel-run.tsx'
import classes from './chat.module.css'
import { Citations } from './citations.tsx'
import type { Conversation, Followed } from './conversations.ts'
import { GivenMessages, SentMessage } from './given-messages.tsx'
import type { LiveState } from './live-run.ts'
import { Requests } from './requests.tsx'
import { RunEnd } from './run-end.tsx'
import { RunParts } from './run-parts.tsx'
import { hasEnded } from './run-view.ts'
import type { Given } from './turns.ts'

/** A turn that is under way, or was while it was looked at. */
export const LiveTurn = memo(function LiveTurn(props: {
  followed: Followed
  /** As the record has it; without, what was sent here. */
  given?: readonly Given[]
  agentName: string
  conversation: Conversation
}) {
  const { followed, given, agentName, conversation } = props
  const { key, live, text, attached } = followed
  const state = useSyncExternalStore(live.subscribe, live.state)
  const { runId, connection } = state
  return (
    <div className={classes.turn}>
      {text !== undefined ? (
        <SentMessage text={text} attached={attached} />
      ) : (
        <GivenMessages messages={given ?? []} />
      )}
      <article className={classes.answer} aria-label={`Answer of ${agentName}`} aria-busy={!hasEnded(state)}>
        <RunParts view={state} />
        {runId && <Requests runId={runId} view={state} />}
        <Group gap="sm">
          <Progress state={state} agentName={agentName} />
          {runId && state.status === 'queued' && state.last >= 0 && (
            <CancelRun
              run={{ id: runId, sessionId: conversation.sessionId, sessionTitle: null, asked: text ?? null }}
            />
          )}
        </Group>
        {connection.state === 'refused' && (
          <>
            <ErrorNotice error={connection.error} retry={() => live.open()} />
            {text !== undefined && !runId && (
              <Group>
                <Button variant="default" size="compact-sm" onClick={() => conversation.drop(key)}>
                  Discard the message
                </Button>
              </Group>
            )}
          </>
        )}
        <Citations citations={state.citations} />
        {runId && <RunEnd run={{ ...state, id: runId, content: answerOf(state) }} />}
      </article>
    </div>
  )
})

/** What is waited for, in words. */
function Progress({ state, agentName }: { state: LiveState; agentName: string }) {
  const words = wordsOf(state, agentName)
  return (
    <Group gap="xs" role="status" mih={words ? 22 : 0}>
      {words && (
        <>
          <Loader size={14} type="dots" aria-hidden />
          <Text size="sm" c="dimmed">
            {words}
          </Text>
        </>
      )}
    </Group>
  )
}

function wordsOf(state: LiveState, agentName: string): string | undefined {
  const { status, connection, parts } = state
  if (hasEnded(state) || connection.state === 'refused') return undefined
  if (connection.state === 'lost') return 'The connection broke off. Trying again…'
  if (connection.state === 'held') return 'Waits until the answer above has ended'
  if (status === 'waiting') return 'Waits for you'
  if (status === 'queued' && state.last >= 0) return 'Queued'
  return parts.length === 0 ? `${agentName} is answering…` : 'Answering…'
}

const answerOf = ({ parts }: LiveState): string =>
  parts.flatMap((part) => (part.kind === 'call' || part.kind === 'thought' ? [] : [part.text])).join('\n\n')
