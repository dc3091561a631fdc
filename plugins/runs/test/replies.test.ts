import type { ServerResponse } from 'node:http'
import t from 'tap'
import { askedLast, puppetStage, run, scripted, streamed, textOf, tool } from './testbed.ts'

/** What the model says next: the deltas of each reply, in turn, the last one again and again. */
let script: object[][] = []
const { server, ada, play } = await puppetStage(t, { respond: (_, response) => answer(response) })
const agent = await ada.agent(scripted())

function answer(response: ServerResponse) {
  const deltas = (script.length > 1 ? script.shift() : script[0]) ?? []
  const said = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const choice of said)
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
  response.end('data: [DONE]\n\n')
}
const call = (index: number, name: string, args = '{}', id = `call-${index}`) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }]
})
const bad = 'a\u0000b\ud800c'

t.test('text that no database keeps is told without what it cannot be', async (t) => {
  script = [['a\u0000b', '\ud83d', '\ude00', 'c\ud800', ' end'].map((content) => ({ content }))]
  const { events } = await streamed(ada, agent, 'Hello')
  t.match(events.at(-1), { type: 'final', content: 'ab😀c\ufffd end' })
  t.equal(textOf(events).toWellFormed(), 'ab😀c\ufffd end')
  t.match(await run(ada, agent, 'Again', { sessionId: events[0]?.sessionId }), { status: 200 })
  t.match(askedLast(server).messages[1], { role: 'assistant', content: 'ab😀c\ufffd end' })
})

t.test('and so are its thoughts, and the names and arguments of what it calls', async (t) => {
  const made: unknown[] = []
  play.tools = () => [
    tool('dig', async ({ args }) => {
      made.push(args)
      return { output: 'dug' }
    })
  ]
  script = [
    [
      { reasoning_content: bad },
      { content: bad },
      call(0, 'dig', JSON.stringify({ [bad]: bad })),
      call(1, bad, '{}', bad),
      call(2, 'x'.repeat(250))
    ],
    [{ content: 'Done' }]
  ]
  const { events } = await streamed(ada, agent, 'Dig')
  t.match(events.at(-1), { type: 'final', content: 'Done' })
  t.same(made, [{ 'ab\ufffdc': 'ab\ufffdc' }])
  t.match(textOf(events, 'commentary').toWellFormed(), 'ab\ufffdc')
  const ends = events.filter(({ type }) => type === 'toolEnd').map(({ output }) => output)
  t.equal(ends.length, 3)
  t.ok(ends.includes('dug'))
  t.equal(ends.filter((output) => /^There is no tool/.test(String(output))).length, 2)
})

t.test('a reply without a word is an answer', async (t) => {
  script = [[]]
  const { events, runId } = await streamed(ada, agent, 'Hello')
  const end = events.at(-1)
  if (end?.type === 'final') t.equal(end.content, '')
  else t.match(end, { type: 'error', code: 'model_error' })
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data.status, /completed|failed/)
})

t.test('calls that share an id are two calls', async (t) => {
  const made: unknown[] = []
  play.tools = () => [
    tool('dig', async ({ id, args }) => {
      made.push(id)
      return { output: args }
    })
  ]
  script = [[call(0, 'dig', '{"n":1}', 'same'), call(1, 'dig', '{"n":2}', 'same')], [{ content: 'Done' }]]
  const { events } = await streamed(ada, agent, 'Dig')
  t.match(events.at(-1), { type: 'final', content: 'Done' })
  t.equal(new Set(made).size, 2)
})

t.test('arguments that are too deep, or no object, are the model’s fault', async (t) => {
  play.tools = () => [tool('dig', async () => ({ output: 'dug' }))]
  for (const args of ['[1]', '"text"', '7', '{', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`]) {
    script = [[call(0, 'dig', args)], [{ content: 'Sorry' }]]
    const { events } = await streamed(ada, agent, 'Dig')
    t.match(events.at(-1), { type: 'final', content: 'Sorry' }, args.slice(0, 9))
    t.match(
      events.filter(({ type }) => type === 'toolEnd'),
      [{ isError: true, output: /JSON object/ }]
    )
  }
})

t.test('a reply that asks for too much is refused, and asked for once', async (t) => {
  const before = server.requests.length
  script = [Array.from({ length: 129 }, (_, index) => call(index, 'dig'))]
  t.match((await streamed(ada, agent, 'Dig')).events.at(-1), { type: 'error', code: 'too_many_calls' })
  const long = JSON.stringify({ text: 'x'.repeat(600_000) })
  script = [[call(0, 'dig', long), call(1, 'dig', long)]]
  t.match((await streamed(ada, agent, 'Dig')).events.at(-1), { type: 'error', code: 'reply_too_large' })
  t.equal(server.requests.length, before + 2)
})
