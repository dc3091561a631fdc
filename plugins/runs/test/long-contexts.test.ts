// budget: 120 s, because a session has 500 turns and a run 300 steps
// tier: whole
import t from 'tap'
import type { ChatBody } from '../../../test/model-server.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import { callTool, sayText } from './model-replies.ts'
import { puppetStage, run, scripted, stage, streamed, tool } from './testbed.ts'

const textOf = ({ messages }: ChatBody) => JSON.stringify(messages)
const isSummary = ({ messages }: ChatBody) =>
  String(messages[0]?.content).startsWith('You shorten the history')
const tooLong = {
  error: { message: "This model's maximum context length is exceeded", code: 'context_length_exceeded' }
}

t.test('a session of 500 turns keeps the facts that were told in it', async (t) => {
  const window = 16_000
  t.comment(`SEED=${seed}`)
  const random = randomOf(seed)
  const facts = Array.from({ length: 40 }, (_, n) => `the code of place ${n} is ${1_000 + random(9_000)}`)
  const turns = new Map(facts.map((fact, n) => [n * 12 + 3, fact]))
  /** It knows nothing but its prompt: it repeats the facts that it is to summarize, and answers what it finds. */
  const known = (text: string) => [...new Set(text.match(/the code of place \d+ is \d+/g) ?? [])]
  const refusals: number[] = []
  const { ada, server } = await stage(t, {
    keep: 20,
    env: { RUN_CONTEXT_TOKENS: String(window) },
    respond: ({ body }, response) => {
      const text = textOf(body)
      if (text.length / 3.5 > window) {
        refusals.push(text.length)
        return void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify(tooLong))
      }
      if (isSummary(body)) return sayText(response, known(text).join('\n') || 'Small talk.')
      const asked = /What is (the code of place \d+)\?/.exec(String(body.messages.at(-1)?.content))?.[1]
      const found = asked && known(text).find((fact) => fact.startsWith(`${asked} is`))
      sayText(response, asked ? (found ?? 'I do not know.') : 'Noted, thank you for telling me about it.')
    }
  })
  const agent = await ada.agent({ ...scripted('long'), instructions: 'Remember what you are told.' })
  let sessionId: string | undefined
  const say = async (content: string): Promise<string> => {
    const reply = await run(ada, agent, content, { ...(sessionId && { sessionId }) })
    sessionId = reply.body.data.sessionId
    return reply.body.data.content
  }
  for (let turn = 0; turn < 500; turn++)
    await say(
      `Turn ${turn}: ${turns.get(turn) ?? 'nothing special happened'}. ${'We talked for a while. '.repeat(20)}`
    )
  let right = 0
  for (const fact of facts) {
    const [asked] = fact.split(' is ')
    const said = await say(`What is ${asked}?`)
    if (said === fact) right++
  }
  t.comment(`${right} of 40 facts, ${server.stats.requests} requests, ${refusals.length} refusals`)
  t.ok(right >= 38, `${right} of 40 facts`)
  t.equal(refusals.length, 0)
})

t.test('a run of 300 steps finishes in a window of 16,000 tokens', async (t) => {
  const window = 16_000
  let steps = 0
  let largest = 0
  const { ada, play, server } = await puppetStage(t, {
    keep: 2_000,
    env: { RUN_CONTEXT_TOKENS: String(window), RUN_MAX_STEPS: '400' },
    respond: ({ body }, response) => {
      const text = textOf(body) + JSON.stringify(body.tools ?? [])
      largest = Math.max(largest, text.length / 3.5)
      if (text.length / 3.5 > window)
        return void response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify(tooLong))
      if (isSummary(body)) {
        const done = [...text.matchAll(/page (\d+) holds (\w+)/g)].map(([whole]) => whole)
        return sayText(response, [...new Set(done)].slice(-20).join('\n') || 'Nothing yet.')
      }
      if (steps < 300) return callTool(response, `call_${steps}`, 'read', { page: steps++ })
      sayText(response, text.includes('page 299 holds') ? 'All pages are read.' : 'I lost my place.')
    }
  })
  play.tools = () => [
    tool('read', async ({ args }) => {
      const { page } = args as { page: number }
      return { output: `page ${page} holds word${page} ${'lorem ipsum '.repeat(120)}` }
    })
  ]
  const agent = await ada.agent({ ...scripted('steps'), instructions: 'Read all pages, one by one.' })
  const { events } = await streamed(ada, agent, 'Read the 300 pages of the book of birds')
  t.match(events.at(-1), { type: 'final', content: 'All pages are read.' })
  t.equal(steps, 300)
  const compacted = events.filter(({ type }) => type === 'context_compacted')
  t.comment(`${compacted.length} compactions, at most ${Math.ceil(largest)} tokens`)
  t.ok(compacted.length > 0 && compacted.length < 100, 'it is not compacted at each step')
  for (const { body } of server.requests) {
    if (isSummary(body)) continue
    t.match(body.messages[0]?.content, /^Read all pages/)
    t.match(textOf(body), /300 pages of the book of birds/, 'the request is always in the prompt')
    const calls = body.messages.flatMap((it) => (it as { tool_calls?: { id: string }[] }).tool_calls ?? [])
    const results = body.messages.filter(({ role }) => role === 'tool') as unknown as {
      tool_call_id: string
    }[]
    t.same(
      results.map((it) => it.tool_call_id),
      calls.map(({ id }) => id)
    )
  }
})
