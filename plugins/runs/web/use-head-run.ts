import { useSyncExternalStore } from 'react'
import { conversationOf } from './conversations.ts'
import { hasEnded } from './run-view.ts'

const nothing = () => () => undefined

/** The run of the session that is under way here. */
export function useHeadRun(sessionId: string | undefined): string | undefined {
  const conversation = sessionId === undefined ? undefined : conversationOf(sessionId)
  return useSyncExternalStore(conversation?.subscribe ?? nothing, () => {
    const states = conversation?.followed().map(({ live }) => live.state()) ?? []
    return states.find((it) => it.runId !== undefined && !hasEnded(it))?.runId
  })
}
