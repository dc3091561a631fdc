import type { Client as Platform } from '../../apps-sdk/client/src/index.ts'
import type { Client, Reply } from '../client.ts'

interface Place {
  readonly client: Client
  readonly platform: Platform
}
export interface Scene {
  readonly agentId: string
  readonly places: readonly Place[]
  readonly counts: { changed: number }
}
/** Does one thing at an instance, and may look at the other one; throws where anything is not as it should be. */
type Operation = (scene: Scene, here: Place, there: Place, index: number) => Promise<void>

const is = ({ status, text }: Reply, wanted: number) => {
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${text}`)
}
const WORDS = 20
const orderOf = (agentId: string, content: string, sessionId?: string) => ({
  agentId,
  messages: [{ role: 'user' as const, content }],
  ...(sessionId && { sessionId })
})
const said = `/repeat ${WORDS} word`
const whole = Array.from({ length: WORDS }, () => 'word').join(' ')

/** A run that is answered whole, and is the same at the other instance. */
const run: Operation = async ({ agentId }, here, there) => {
  const reply = await here.client.post('/v1/agents/run', orderOf(agentId, said))
  is(reply, 200)
  const found = await there.client.get(`/v1/agents/runs/${reply.body.data.id}`)
  is(found, 200)
  if (found.body.data.content !== whole) throw new Error(`said ${found.body.data.content}`)
}

/** A run as it comes: no event is missing, and no word. */
const stream: Operation = async ({ agentId }, here) => {
  const events = await here.platform.runs.stream(orderOf(agentId, `/wait 2\n${said}`))
  let text = ''
  let next: number | undefined
  for await (const event of events as AsyncIterable<{ type: string; seq: number; content?: string }>) {
    if (event.type === 'keepalive') continue
    if (next !== undefined && event.seq !== next) throw new Error(`a gap: ${event.seq} instead of ${next}`)
    next = event.seq + 1
    if (event.type === 'token') text += event.content ?? ''
  }
  if (text.trim() !== whole) throw new Error(`said ${text}`)
}

/** A run that calls a tool, and says what that answered. */
const tool: Operation = async ({ agentId }, here, _there, index) => {
  const expression = `${index % 1_000} + 1`
  const reply = await here.client.post(
    '/v1/agents/run',
    orderOf(agentId, `/call calculator ${JSON.stringify({ expression })}`)
  )
  is(reply, 200)
  if (!reply.body.data.content.includes(String((index % 1_000) + 1)))
    throw new Error(`said ${reply.body.data.content}`)
}

/** A conversation of two turns, one at each instance. */
const session: Operation = async ({ agentId }, here, there) => {
  const made = await here.client.post('/v1/sessions', { agentId })
  is(made, 201)
  const { id } = made.body.data
  is(await here.client.post('/v1/agents/run', orderOf(agentId, '/say one', id)), 200)
  is(await there.client.post('/v1/agents/run', orderOf(agentId, '/say two', id)), 200)
  const chat = await here.client.get(`/v1/agents/sessions/${id}/chat`)
  is(chat, 200)
  if (chat.body.data.length !== 4) throw new Error(`${chat.body.data.length} messages`)
}

const lists = (agentId: string) => [
  '/v1/agents?limit=20',
  `/v1/sessions/agent/${agentId}?limit=20`,
  '/v1/activity/events?limit=20',
  `/v1/usage/agents/${agentId}?groupBy=model`,
  `/v1/logs/agents/${agentId}/observability?limit=2`
]
const list: Operation = async ({ agentId }, here, there, index) => {
  const paths = lists(agentId)
  is(await here.client.get(paths[index % paths.length] as string), 200)
  is(await there.client.get(`/v1/agents/${agentId}`), 200)
}

/** A change that a webhook tells of. */
const change: Operation = async ({ agentId, counts }, here, _there, index) => {
  is(await here.client.put(`/v1/agents/${agentId}`, { name: `After ${index}` }), 200)
  counts.changed++
}

/** An agent that comes, does something, and goes with what it did. */
const passing: Operation = async (_scene, here, there) => {
  const { id } = await here.client.agent({ modelProvider: 'local' })
  is(await there.client.post('/v1/agents/run', orderOf(id, '/say hello')), 200)
  is(await here.client.delete(`/v1/agents/${id}`), 200)
}

/** One after the other, again and again. */
export const operations: readonly Operation[] = [
  ...[run, list, stream, list, tool, list, stream, session, list, run],
  ...[list, stream, change, list, run, passing, list, stream, list]
]
