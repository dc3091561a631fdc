import type { ServerResponse } from 'node:http'
import { pour } from './rubbish-fixture.ts'

const MOST_BYTES = 14_000_000
/** As many of them as make up 14 MB, or until the reader leaves. */
export async function flood(reply: ServerResponse, message: object) {
  const event = `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
  await pour(reply, event.repeat(Math.ceil(65_536 / event.length)), MOST_BYTES)
  reply.end()
}

const properties = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, i) => [`p${i}`, { type: 'nonsense' }])
)
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
const user = { role: 'user', content: { type: 'text', text: 'Hi' } }
/** What comes instead of an answer; `request` are those that want one. */
export const floods: Readonly<Record<string, object>> = {
  pings: { id: 'p', method: 'ping' },
  progress: { method: 'notifications/progress', params: { progressToken: 0, progress: 1, message: 'on' } },
  logs: { method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(50) } },
  questions: { id: 'q', method: 'elicitation/create', params: form },
  'long questions': {
    id: 'l',
    method: 'elicitation/create',
    params: { ...form, requestedSchema: { type: 'object', properties } }
  },
  samplings: { id: 's', method: 'sampling/createMessage', params: { messages: [user], maxTokens: 5 } },
  'unknown requests': { id: 'u', method: 'no/such' },
  'unknown answers': { id: 999_999, result: {} },
  changes: { method: 'notifications/tools/list_changed' }
}
