import type { Client } from '../../../test/client.ts'
import { connect, eventOf } from '../../../test/frames.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every form
export type Any = any

/** The built-in model, which does what it is told. */
export const local = { modelProvider: 'local' }

/** What a reply holds, which has to be a good one. */
export async function got(client: Client, path: string): Promise<Any> {
  const { status, body } = await client.get(path)
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body.data
}

export async function run(client: Client, agent: { id: string }, content: string, fields: object = {}) {
  const messages = [{ role: 'user', content }]
  const { status, body } = await client.post('/v1/agents/run', { agentId: agent.id, messages, ...fields })
  if (status !== 201 && status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data as Any
}

/** Follows a stream: all events that came, and the next one that is so. */
export async function follow(t: Scope, url: string, client: Client, path: string) {
  const headers = { authorization: `Bearer ${await client.key()}` }
  const connected = await connect(`${url}${path}`, { headers })
  t.teardown(connected.close)
  const seen: Any[] = []
  async function until(is: (event: Any) => boolean): Promise<Any> {
    for (;;) {
      const frame = await connected.frame()
      if (frame === undefined) throw new Error('The stream ended before')
      const event = eventOf(frame)
      seen.push(event)
      if (is(event)) return event
    }
  }
  return { seen, until }
}
