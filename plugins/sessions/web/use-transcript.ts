import { api, useList } from 'agent-platform/console'

/** What was said in a session, the newest first. */
export const useTranscript = (sessionId: string) =>
  useList(['sessions', sessionId, 'transcript'], (cursor, signal) =>
    api.get('/v1/agents/sessions/{sessionId}/chat', {
      params: { path: { sessionId }, query: { limit: 50, cursor } },
      signal
    })
  )
