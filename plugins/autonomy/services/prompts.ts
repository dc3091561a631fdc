import type { RunOrder } from '../../runs/contract.ts'
import type { HeartbeatRow } from '../stores/heartbeats.ts'

/** The answer that says that nothing is to be done. */
export const NOTHING = 'HEARTBEAT_OK'

const DEFAULT_PROMPT =
  'This is a heartbeat: nobody has written to you. Look at what is open, such as your goals and what was said here ' +
  'before, and do what is due by now. Do not repeat what is done.'

/** The run of a beat that begins at that time. */
export function orderOf(heartbeat: HeartbeatRow, at: Date): RunOrder {
  const { agentId, prompt, timezone, model, sessionId, isolatedSessionId } = heartbeat
  const time = at.toLocaleString('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  const content = [
    prompt ?? DEFAULT_PROMPT,
    `It is ${time} (${timezone}). If nothing needs to be done, answer ${NOTHING} and nothing else.`
  ]
  const session = sessionId ?? isolatedSessionId
  return {
    agentId,
    messages: [{ role: 'user', content: content.join('\n\n') }],
    silentAnswer: NOTHING,
    ...(model && { model }),
    ...(session !== null && { sessionId: session })
  }
}
