import type { Test } from 'tap'
import { messagesOf, scripted, stage, streamed } from './testbed.ts'

const RUNS = 50
export const many = Array.from({ length: RUNS }, (_, index) => `message ${index}`)

/** A platform where many want to run in one session, and an agent that says what it is told. */
export async function crowd(t: Test) {
  /** Requests that the model was asked and has not answered yet; the most at a time. */
  const asked = { now: 0, most: 0 }
  const staged = await stage(t, {
    env: { RUN_MAX_QUEUED: String(RUNS) },
    respond(_, response) {
      asked.most = Math.max(asked.most, ++asked.now)
      response.once('close', () => asked.now--)
    }
  })
  const { booted, ada } = staged
  const echo = await ada.agent(scripted('reply=echo&ttft=2'))

  const emptySession = async (agent = echo): Promise<string> =>
    (await ada.post('/v1/sessions', { agentId: agent.id })).body.data.id

  /** All of them at once in one session, to their ends. */
  async function flood(t: Test, sessionId: string, strategyOf: (index: number) => string) {
    const replies = await Promise.all(
      many.map((content, index) =>
        streamed(ada, echo, content, { sessionId, multitaskStrategy: strategyOf(index) })
      )
    )
    const runs = replies.filter(({ status }) => status === 200)
    for (const { events } of runs) {
      const ends = events.filter(({ type }) => ['final', 'error', 'cancelled'].includes(type))
      t.same(ends, [events.at(-1)], 'exactly one end')
      t.same(
        events.map(({ seq }) => seq),
        events.map((_, seq) => seq)
      )
    }
    const left = await booted.platform.knex('runs.run').where({ sessionId }).whereNull('endedAt')
    t.same(left, [], 'none is left')
    const ended = (type: string) => runs.filter(({ events }) => events.at(-1)?.type === type)
    t.same(ended('error'), [])
    return { replies, completed: ended('final'), cancelled: ended('cancelled') }
  }

  /** Each reply follows the message that it answers, and nothing is there twice. */
  async function consistent(t: Test, sessionId: string) {
    const messages = await messagesOf(ada, sessionId)
    for (const [index, { role, runId }] of messages.entries())
      if (role === 'assistant') t.match(messages[index - 1], { role: 'user', runId })
    t.equal(new Set(messages.map(({ role, runId }) => role + runId)).size, messages.length)
    return messages
  }

  return { ...staged, asked, echo, emptySession, flood, consistent }
}
