import t from 'tap'
import { askedLast, puppetStage, RUN, run, saying, scripted, streamed, tool } from './testbed.ts'

interface Said {
  readonly deltas: readonly object[]
  readonly reason: string
  readonly fields?: object
}
/** What the model says next, in turn, then a text. */
let script: Said[] = []
const { ada, booted, server, play } = await puppetStage(t, {
  env: { RUN_MODEL_RETRIES: '0' },
  respond(_, response) {
    const { deltas, reason, fields } = script.shift() ?? { deltas: [{ content: 'Done' }], reason: 'stop' }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const choices = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: reason, ...fields }]
    for (const choice of choices)
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    response.end('data: [DONE]\n\n')
  }
})
const agent = await ada.agent(scripted())

t.test('a run reports the finish reason of its model', async (t) => {
  for (const [reason, finishReason] of [
    ['stop', 'stop'],
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'other']
  ] as const) {
    const said = { deltas: [{ content: 'Partly' }], reason }
    script = [said, said]
    const { data } = (await run(ada, agent, 'Hello')).body
    t.match(data, { status: 'completed', content: 'Partly', finishReason }, reason)
    t.match((await ada.get(`/v1/agents/runs/${data.id}`)).body.data, { finishReason })
    const { events } = await streamed(ada, agent, 'Hello')
    t.match(events.at(-1), { type: 'final', content: 'Partly', finishReason })
  }
  const { rows } = await booted.platform.knex.raw(
    `select data ->> 'finishReason' as reason from kernel.fact where name = 'runs.completed'`
  )
  t.ok(rows.some(({ reason }: { reason: string }) => reason === 'content_filter'))
})

t.test('a run without any answer text fails with the reason', async (t) => {
  for (const [reason, code, message] of [
    ['length', 'max_tokens_reached', /maxTokens/],
    ['content_filter', 'content_filter', /filter/]
  ] as const)
    for (const deltas of [[], [{ reasoning_content: 'Well' }], [{ content: ' \n' }]]) {
      script = [{ deltas, reason }]
      const failed = await ada.post(RUN, saying(agent, 'Hello'))
      t.match(failed, { status: 400, body: { error: { code, message } } }, JSON.stringify(deltas))
      const path = `/v1/agents/runs/${failed.headers.get('x-run-id')}`
      t.match((await ada.get(path)).body.data, { status: 'failed', finishReason: null, error: { code } })
    }
})

t.test('a reply that ended in an error fails the run', async (t) => {
  script = [{ deltas: [{ content: 'Partly' }], reason: 'error' }]
  t.match(await run(ada, agent, 'Hello'), {
    status: 502,
    body: { error: { code: 'model_error', message: /ended its reply with an error/ } }
  })
  const error = { code: 502, message: 'Provider returned error' }
  script = [{ deltas: [{ content: 'Partly' }], reason: 'error', fields: { error } }]
  const { events } = await streamed(ada, agent, 'Hello')
  t.match(events.at(-1), {
    ...{ type: 'error', code: 'model_unreachable', message: /\(502\): Provider returned error/ }
  })
})

t.test('does not execute a truncated tool call, and reports it to the model', async (t) => {
  const made: unknown[] = []
  play.tools = () => [
    tool('dig', async ({ args }) => {
      made.push(args)
      return { output: 'dug' }
    })
  ]
  const call = (index: number, args: string) => ({
    tool_calls: [{ index, id: `c${index}`, function: { name: 'dig', arguments: args } }]
  })
  for (const args of ['', '{}', '{"depth":1}', '{"dep']) {
    script = [{ deltas: [call(0, '{"at":1}'), call(1, args)], reason: 'length' }]
    t.match((await run(ada, agent, 'Dig')).body.data, { status: 'completed', finishReason: 'stop' })
    const results = askedLast(server).messages.filter(({ role }) => role === 'tool')
    t.match(results, [{ content: /dug/ }, { content: /limit of output tokens/ }], args)
  }
  t.same(made, [{ at: 1 }, { at: 1 }, { at: 1 }, { at: 1 }])
})
