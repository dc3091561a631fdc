import t from 'tap'
import type { ToolCall } from '../contract.ts'
import {
  ANSWER,
  askedLast,
  listen,
  local,
  puppetStage,
  resultsTold,
  run,
  runOnce,
  STREAM,
  saying,
  scripted,
  streamed,
  textOf,
  tool,
  typesOf
} from './testbed.ts'

const { booted, server, ada, play } = await puppetStage(t)
const agent = await ada.agent(local)

t.test('a tool is called, may tell how far it is, and its result goes to the model', async (t) => {
  const calls: ToolCall[] = []
  play.tools = () => [
    tool('weather', async (call) => {
      calls.push(call)
      call.progress('looking out')
      call.progress('of the window')
      return { output: { sky: 'blue' } }
    })
  ]
  const { events, runId } = await streamed(ada, agent, '/say Let me see\n/call weather {"city":"Rome"}')
  const sessionId = events[0]?.sessionId
  const callId = events.find(({ type }) => type === 'toolStart')?.callId
  t.match(callId, /^call_[0-9a-z]{26}$/)
  t.same(events.map(({ runId: _, seq: __, at: ___, ...event }) => event).slice(1, -2), [
    { type: 'status', status: 'running' },
    { type: 'agent_step', step: 1, attempt: 1 },
    { type: 'token', phase: 'final_answer', content: 'Let me see' },
    { type: 'status', status: 'commentary', step: 1, covers: { from: 3, to: 3 } },
    { type: 'toolStart', callId, toolName: 'weather', args: { city: 'Rome' } },
    { type: 'toolProgress', callId, output: 'looking out' },
    { type: 'toolProgress', callId, output: 'of the window' },
    { type: 'toolEnd', callId, toolName: 'weather', output: { sky: 'blue' }, isError: false },
    { type: 'agent_step', step: 2, attempt: 1 }
  ])
  t.match(events.at(-1), { type: 'final', content: '{"sky":"blue"}' })
  t.equal(textOf(events), '{"sky":"blue"}', 'what was said on the way is no part of the answer')
  t.equal(textOf(events, 'commentary'), 'Let me see')
  t.match(calls, [{ id: callId, args: { city: 'Rome' } }])
  t.equal(calls.length, 1)
  t.match(calls[0]?.run, {
    project: 'default',
    id: runId,
    owner: ada.id,
    sessionId,
    agentId: agent.id,
    by: { id: ada.id, type: 'user' }
  })
})

t.test('the model is told which tools there are, in each step anew', async (t) => {
  const model = await ada.agent(scripted('tool=first&text=Done'))
  const offers: string[] = []
  play.tools = () => {
    offers.push('offer')
    return [
      tool('first', async () => ({ output: 1 }), {
        description: 'The first',
        parameters: { type: 'object', properties: { n: { type: 'integer' } } }
      }),
      ...(offers.length > 1 ? [tool('second', async () => ({ output: 2 }))] : []),
      tool('first', async () => ({ output: 'the other one' }), { description: 'Another first' })
    ]
  }
  const { body } = await run(ada, model, 'Go')
  t.equal(body.data.content, 'Done')
  const [before, after] = server.requests.slice(-2).map((request) => request.body.tools)
  t.match(before, [
    {
      type: 'function',
      function: { name: 'first', description: 'The first', parameters: { properties: { n: {} } } }
    }
  ])
  t.equal(before?.length, 1, 'of two with one name the first')
  t.equal(after?.length, 2)
  t.same(resultsTold(server), ['1'])
})

t.test('calls of one reply are made at the same time, and told in their order', async (t) => {
  const both = Promise.withResolvers<void>()
  let under = 0
  play.tools = () =>
    ['slow', 'quick'].map((name) =>
      tool(name, async () => {
        if (++under === 2) both.resolve()
        await both.promise
        return { output: name }
      })
    )
  const model = await ada.agent(scripted('tool=slow&tool=quick&text=Done'))
  const { events } = await streamed(ada, model, 'Go')
  t.equal(events.at(-1)?.type, 'final')
  t.same(typesOf(events).slice(3, 7), ['toolStart', 'toolStart', 'toolEnd', 'toolEnd'])
  t.same(resultsTold(server), ['slow', 'quick'])
})

t.test('the caller’s tools come before those of packs', async (t) => {
  play.tools = () => [
    tool('dig', async () => ({ output: 'by the pack' })),
    tool('rest', async () => ({ output: 'rested' }))
  ]
  const model = await ada.agent(scripted('tool=dig&tool=rest&text=Done'))
  const cliTools = [{ name: 'dig', description: 'Mine' }]
  const stream = await listen(booted, ada, STREAM, saying(model, 'Go', { cliTools }))
  const { callId } = await stream.until('cli_tool_request')
  t.match(
    await stream.until('toolEnd'),
    { toolName: 'rest', output: 'rested' },
    'nobody waits for the caller'
  )
  await ada.post(ANSWER, { runId: stream.runId, callId, output: 'by the caller' })
  t.equal((await stream.rest()).at(-1)?.type, 'final')
  const { tools } = askedLast(server)
  t.match(tools, [{ function: { name: 'dig', description: 'Mine' } }, { function: { name: 'rest' } }])
  t.equal(tools?.length, 2)
  t.same(resultsTold(server), ['by the caller', 'rested'])
})

t.test('a tool that is called while the run is cancelled is told, and not waited for', async (t) => {
  const called = Promise.withResolvers<ToolCall>()
  const over = Promise.withResolvers<void>()
  play.tools = () => [
    tool('stubborn', async (call) => {
      called.resolve(call)
      await over.promise
      return { output: 'too late' }
    })
  ]
  const stream = await listen(booted, ada, STREAM, saying(agent, '/call stubborn {}'))
  const call = await called.promise
  const { body } = await ada.post(`/v1/agents/runs/${stream.runId}/cancel`)
  t.match(body.data, { status: 'cancelled' })
  t.ok(call.signal.aborted)
  t.doesNotThrow(() => call.progress('is anybody there?'))
  over.resolve()
  const events = await stream.rest()
  t.same(typesOf(events), ['run_started', 'status', 'agent_step', 'toolStart', 'toolEnd', 'cancelled'])
  t.match(events.at(-2), { toolName: 'stubborn', isError: true, output: /outcome of this call is unknown/ })
  await runOnce(ada, stream.runId, ({ body }) => body.data.status === 'cancelled')
})

t.test('a call that may be made again waits for the database, under the same id', async (t) => {
  const busy = () => Object.assign(new Error('The platform is busy'), { kind: 'unavailable', code: 'busy' })
  const ids: string[] = []
  const failOnce = async ({ id }: ToolCall) => {
    if (ids.push(id) % 2 === 1) throw busy()
    return { output: 'bought' }
  }
  play.tools = () => [tool('read', failOnce, { idempotent: true }), tool('buy', failOnce)]
  t.match(await run(ada, agent, '/call read {}'), { body: { data: { content: 'bought' } } })
  t.equal(ids.length, 2)
  t.equal(new Set(ids).size, 1)
  t.match(await run(ada, agent, '/call buy {}'), {
    body: { data: { content: /outcome of this call is unknown/ } }
  })
  t.equal(ids.length, 3, 'one that must not be made twice is not')
})

t.test('of many calls of one reply some are made at once, and each once', async (t) => {
  let [going, most] = [0, 0]
  const made: number[] = []
  const count = async ({ args }: ToolCall) => {
    most = Math.max(most, ++going)
    made.push((args as { n: number }).n)
    await new Promise((resolve) => setImmediate(resolve))
    going--
    return { output: 'ok' }
  }
  play.tools = () => [tool('read', count, { idempotent: true }), tool('buy', count)]
  const calls = Array.from({ length: 40 }, (_, n) => ({ n }))
  const lines = calls.map((args) => `/call ${args.n % 2 ? 'read' : 'buy'} ${JSON.stringify(args)}`)
  const { events } = await streamed(ada, agent, lines.join('\n'))
  t.equal(most, 16)
  t.same(
    made.sort((a, b) => a - b),
    calls.map(({ n }) => n)
  )
  const ends = events.filter(({ type }) => type === 'toolEnd')
  t.equal(ends.length, 40)
  for (const { isError } of ends) t.equal(isError, false)
})
