import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { conversationOf } from './conversations.ts'

/** What of the session is under way; streams are open while it is shown. */
export function useConversation(sessionId: string) {
  const conversation = useMemo(() => conversationOf(sessionId), [sessionId])
  useEffect(() => {
    conversation.open()
    return () => conversation.close()
  }, [conversation])
  const followed = useSyncExternalStore(conversation.subscribe, conversation.followed)
  return { conversation, followed }
}
