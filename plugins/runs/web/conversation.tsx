import { Button, Center } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState, ErrorNotice, Loaded, useList, useStoredText } from 'agent-platform/console'
import { MessageCircle } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { branchesQuery } from './branches.ts'
import classes from './chat.module.css'
import { Composer } from './composer.tsx'
import { LiveTurn } from './live-turn.tsx'
import { ModelHint } from './model-hint.tsx'
import { agentQuery, readTranscript } from './queries.ts'
import { QueuedRuns } from './queued-runs.tsx'
import { hasEnded } from './run-view.ts'
import { Turn } from './turn.tsx'
import { TurnActions } from './turn-actions.tsx'
import { isAnswered, newestOf, turnsOf } from './turns.ts'
import { useConversation } from './use-conversation.ts'
import { useStaysAtEnd } from './use-stays-at-end.ts'

/** What was said in a session and what is being said, and where one says more. Without a session the first message begins one. */
export function Conversation(props: {
  agentId: string
  sessionId: string | undefined
  onBegun: (sessionId: string) => void
  /** Another version of the conversation is chosen. */
  onOpen: (sessionId: string) => void
}) {
  const { agentId, sessionId, onBegun, onOpen } = props
  const [text, setText] = useStoredText(`message ${agentId} ${sessionId ?? 'new'}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const suggest = () => {
    setText(FIRST_QUESTION)
    field.current?.focus()
  }
  const agent = useQuery(agentQuery(agentId))
  const name = agent.data?.name ?? 'The agent'
  return (
    <section className={classes.conversation} aria-label={`Conversation with ${name}`}>
      {sessionId ? (
        <Said agentId={agentId} agentName={name} sessionId={sessionId} onOpen={onOpen} />
      ) : (
        <div className={classes.turns}>
          <EmptyState
            icon={MessageCircle}
            title={`Talk with ${name}`}
            action={
              <Button variant="default" size="sm" onClick={suggest}>
                {FIRST_QUESTION}
              </Button>
            }
          >
            Ask a question, or give it something to do. The conversation is kept, and goes on where you left
            it.
          </EmptyState>
        </div>
      )}
      {agent.data && <ModelHint modelProvider={agent.data.modelProvider} />}
      <Composer
        agentId={agentId}
        sessionId={sessionId}
        onBegun={onBegun}
        text={text}
        onText={setText}
        field={field}
      />
    </section>
  )
}

/** For those who do not know what to ask. */
const FIRST_QUESTION = 'What can you help me with?'

const PAGE = 40
/** Others may talk in the same session. */
const LOOK_MS = 15_000

function Said(props: {
  agentId: string
  agentName: string
  sessionId: string
  onOpen: (sessionId: string) => void
}) {
  const { agentId, agentName, sessionId, onOpen } = props
  const { conversation, followed } = useConversation(sessionId)
  const isBusy = followed.some(({ live }) => !hasEnded(live.state()))
  const transcript = useList(
    ['sessions', sessionId, 'chat'],
    (cursor, signal) => readTranscript(sessionId, PAGE, cursor, signal),
    { refresh: isBusy ? undefined : LOOK_MS }
  )
  const branches = useQuery(branchesQuery(sessionId))
  const pages = transcript.data?.pages
  const turns = useMemo(() => turnsOf(pages?.flatMap(({ data }) => data) ?? []), [pages])

  // A run without an answer in the record is under way, or has just ended: its stream has all of it.
  const newest = turns.at(-1)
  const openRun = newest && !isAnswered(newest) ? newest.runId : undefined
  useEffect(() => {
    if (openRun) conversation.follow(openRun)
  }, [conversation, openRun])

  const live = new Map(followed.map((it) => [it.live.state().runId ?? it.key, it]))
  const inRecord = new Set(turns.map(({ runId }) => runId))
  const unrecorded = followed.filter((it) => !inRecord.has(it.live.state().runId ?? null))
  const end = useStaysAtEnd()
  if (transcript.error && !pages)
    return (
      <div className={classes.turns}>
        <ErrorNotice error={transcript.error} retry={() => transcript.refetch()} />
      </div>
    )
  return (
    <Loaded query={transcript}>
      {() => (
        <div className={classes.turns}>
          {transcript.hasNextPage && (
            <Center>
              <Button
                variant="default"
                size="compact-sm"
                loading={transcript.isFetchingNextPage}
                onClick={() => transcript.fetchNextPage()}
              >
                Show earlier messages
              </Button>
            </Center>
          )}
          {turns.map((turn, place) => {
            const going = turn.runId ? live.get(turn.runId) : undefined
            const after = place > 0 ? newestOf(turns[place - 1]) : transcript.hasNextPage ? undefined : null
            const shown = going ? (
              <LiveTurn
                key={turn.key}
                followed={going}
                given={turn.given}
                agentName={agentName}
                conversation={conversation}
              />
            ) : (
              <Turn key={turn.key} turn={turn} agentName={agentName} isNewest={turn === newest} />
            )
            const isOver = isAnswered(turn) && (!going || hasEnded(going.live.state()))
            return (
              <div key={turn.key} className={classes.withActions}>
                {shown}
                {isOver && after !== undefined && (
                  <TurnActions
                    agentId={agentId}
                    sessionId={sessionId}
                    turn={turn}
                    after={after}
                    branches={branches.data ?? []}
                    onOpen={onOpen}
                  />
                )}
              </div>
            )
          })}
          {unrecorded.map((it) => (
            <LiveTurn key={it.key} followed={it} agentName={agentName} conversation={conversation} />
          ))}
          <QueuedRuns sessionId={sessionId} but={new Set(live.keys())} />
          {turns.length === 0 && followed.length === 0 && (
            <EmptyState icon={MessageCircle} title="Nothing was said yet" />
          )}
          <div ref={end} />
        </div>
      )}
    </Loaded>
  )
}
