import { newId } from 'agent-platform'
import t from 'tap'
import type { Event } from './testbed.ts'
import {
  ANSWER,
  askedLast,
  listen,
  local,
  messagesOf,
  resultsTold,
  run,
  runOnce,
  STREAM,
  saying,
  scripted,
  stage,
  typesOf
} from './testbed.ts'

const { booted, server, ada } = await stage(t)
const cliTools = [
  { name: 'dig', parameters: { type: 'object' } },
  { name: 'fill', parameters: { type: 'object' } }
]
const digger = await ada.agent(scripted('tool=dig&args={"depth":2}&text=Done'))
const ended = (runId: string) => runOnce(ada, runId, ({ body }) => body.data.endedAt !== null)
/** What the model was told of its calls. */
const results = () => resultsTold(server)

t.test('a run waits for its caller, and goes on with what he says', async (t) => {
  const { body, status } = await run(ada, digger, 'Dig', { cliTools })
  const { id: runId, sessionId, pending } = body.data
  t.equal(status, 200)
  t.match(body.data, { status: 'waiting', content: null, error: null, endedAt: null })
  t.match(pending, [{ callId: /^call_[0-9a-z]{26}$/, toolName: 'dig', args: { depth: 2 }, deadline: String }])
  t.ok(Date.parse(pending[0].deadline) > Date.now())
  t.same((await ada.get(`/v1/agents/runs/${runId}`)).body.data, body.data)

  const answer = { runId, callId: pending[0].callId, output: { depth: 2, stones: ['big', 'small'] } }
  const refused = { error: { type: String, message: String } }
  t.match(await booted.as('eve').post(ANSWER, answer), { status: 403, body: refused })
  const unknown = { ...answer, callId: newId('call') }
  t.match(await ada.post(ANSWER, unknown), { status: 404, body: { error: { param: '/callId' } } })
  const other = (await run(ada, digger, 'Dig', { cliTools })).body.data
  for (const [runId, callId] of [
    [other.id, answer.callId],
    [answer.runId, other.pending[0].callId]
  ])
    t.match(await ada.post(ANSWER, { ...answer, runId, callId }), {
      status: 404,
      body: { error: { param: '/callId' } }
    })

  t.match(await ada.post(ANSWER, answer), { status: 200, body: { data: { id: runId, pending: [] } } })
  t.match((await ended(runId)).body.data, { status: 'completed', content: 'Done', pending: [] })
  t.equal(results()[0], JSON.stringify(answer.output))
  t.match(await ada.post(ANSWER, answer), { status: 409, body: { error: { code: 'already_settled' } } })
  t.same(
    (await messagesOf(ada, sessionId)).map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant']
  )
})

t.test('the stream tells of the call and of its end', async (t) => {
  const stream = await listen(booted, ada, STREAM, saying(digger, 'Dig', { cliTools }))
  const { callId, deadline } = await stream.until('cli_tool_request')
  await stream.until('waiting')
  await ada.post(ANSWER, { runId: stream.runId, callId, output: 'a hole' })
  const events = await stream.rest()
  t.same(
    events.map(({ runId: _, at: __, ...event }) => event),
    [
      { type: 'run_started', seq: 0, sessionId: events[0]?.sessionId },
      { type: 'status', seq: 1, status: 'running' },
      { type: 'agent_step', seq: 2, step: 1, attempt: 1 },
      { type: 'toolStart', seq: 3, callId, toolName: 'dig', args: { depth: 2 } },
      { type: 'cli_tool_request', seq: 4, callId, toolName: 'dig', args: { depth: 2 }, deadline },
      { type: 'status', seq: 5, status: 'waiting' },
      { type: 'status', seq: 6, status: 'running' },
      { type: 'toolEnd', seq: 7, callId, toolName: 'dig', output: 'a hole', isError: false },
      { type: 'agent_step', seq: 8, step: 2, attempt: 1 },
      { type: 'token', seq: 9, phase: 'final_answer', content: 'Done' },
      {
        type: 'final',
        seq: 10,
        sessionId: events[0]?.sessionId,
        content: 'Done',
        finishReason: 'stop',
        usage: events.at(-1)?.usage
      }
    ]
  )
  t.same(await (await listen(booted, ada, `/v1/agents/runs/${stream.runId}/stream`)).rest(), events)
})

t.test('an answer that comes at once is as good, and any JSON is one', async (t) => {
  for (const output of [null, 0, false, '', 'ünï', [1, [2]], { a: { b: null } }]) {
    const stream = await listen(booted, ada, STREAM, saying(digger, 'Dig', { cliTools }))
    const { callId } = await stream.until('cli_tool_request')
    t.match(await ada.post(ANSWER, { runId: stream.runId, callId, output }), { status: 200 })
    const events = await stream.rest()
    t.equal(events.at(-1)?.type, 'final')
    t.same(events.find(({ type }) => type === 'toolEnd')?.output, output)
    t.equal(results()[0], typeof output === 'string' ? output : JSON.stringify(output))
  }
})

t.test('two calls of one reply are answered in any order', async (t) => {
  const both = await ada.agent(scripted('tool=dig&tool=fill&text=Done'))
  for (const order of [
    [0, 1],
    [1, 0]
  ]) {
    const { id: runId, pending } = (await run(ada, both, 'Dig', { cliTools })).body.data
    t.match(pending, [{ toolName: 'dig' }, { toolName: 'fill' }])
    for (const [turn, index] of order.entries()) {
      const { callId, toolName } = pending[index]
      const { body } = await ada.post(ANSWER, { runId, callId, output: `${toolName} done` })
      t.equal(body.data.pending.length, 1 - turn)
    }
    t.match((await ended(runId)).body.data, { status: 'completed', content: 'Done' })
    t.same(results(), ['dig done', 'fill done'], 'told in the order of the calls')
  }
})

t.test('of many answers at once one counts', async (t) => {
  const { id: runId, pending } = (await run(ada, digger, 'Dig', { cliTools })).body.data
  const outputs = Array.from({ length: 10 }, (_, index) => `answer ${index}`)
  const replies = await Promise.all(
    outputs.map((output) => ada.post(ANSWER, { runId, callId: pending[0].callId, output }))
  )
  const taken = outputs.filter((_, index) => replies[index]?.status === 200)
  t.equal(taken.length, 1)
  t.equal(replies.filter(({ status }) => status === 409).length, 9)
  await ended(runId)
  t.equal(results()[0], taken[0])
})

t.test('the model is told that a call failed, and may call again', async (t) => {
  const agent = await ada.agent(local)
  const script = '/call dig {}\n/then\n/call fill {"with":"sand"}\n/then\n/say All done'
  const { id: runId, pending } = (await run(ada, agent, script, { cliTools })).body.data
  await ada.post(ANSWER, { runId, callId: pending[0].callId, output: 'The spade broke', isError: true })
  const waits = ({ status, pending }: { status: string; pending: { toolName: string }[] }) =>
    status === 'waiting' && pending[0]?.toolName === 'fill'
  const again = await runOnce(ada, runId, ({ body }) => waits(body.data))
  t.match(again.body.data.pending, [{ args: { with: 'sand' } }])
  t.ok(again.body.data.usage.outputTokens > 0, 'what it took so far is told')
  await ada.post(ANSWER, { runId, callId: again.body.data.pending[0].callId, output: 'ok' })
  t.match((await ended(runId)).body.data, { status: 'completed', content: 'All done' })
  const events = await (await listen(booted, ada, `/v1/agents/runs/${runId}/stream`)).rest()
  t.match(
    events.filter(({ type }) => type === 'toolEnd'),
    [
      { output: 'The spade broke', isError: true },
      { output: 'ok', isError: false }
    ]
  )
})

t.test('a call that makes no sense never reaches the caller', async (t) => {
  const agent = await ada.agent(scripted('tool=dig&badArgs=1&text=Sorry'))
  const { status, content } = (await run(ada, agent, 'Dig', { cliTools })).body.data
  t.same([status, content], ['completed', 'Sorry'])
  t.match(results()[0], /JSON/)
})

t.test('who has not answered in time is not waited for', async (t) => {
  const { booted, server, ada } = await stage(t, { env: { RUN_CALLER_SECONDS: '4' } })
  const agent = await ada.agent(scripted('tool=dig&tool=fill&text=Without you'))
  const stream = await listen(booted, ada, STREAM, saying(agent, 'Dig', { cliTools }))
  const calls: Event[] = [await stream.until('cli_tool_request'), await stream.until('cli_tool_request')]
  const answer = (index: number) =>
    ada.post(ANSWER, { runId: stream.runId, callId: calls[index]?.callId, output: 'a hole' })
  t.match(await answer(0), { status: 200 })
  const events = await stream.rest()
  t.match(
    events.filter(({ type }) => type === 'toolEnd'),
    [
      { toolName: 'dig', output: 'a hole', isError: false },
      { toolName: 'fill', output: /not answer/, isError: true }
    ]
  )
  t.match(events.at(-1), { type: 'final', content: 'Without you' })
  t.match(askedLast(server).messages.at(-1), { role: 'tool', content: /not answer/ })
  for (const index of [0, 1]) t.match(await answer(index), { status: 409 })
  t.same(typesOf(events).filter((type) => type === 'final').length, 1)
})
