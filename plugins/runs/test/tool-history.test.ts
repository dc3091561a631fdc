import t from 'tap'
import {
  ANSWER,
  askedLast,
  listen,
  local,
  messagesOf,
  puppetStage,
  run,
  runOnce,
  STREAM,
  saying,
  scripted,
  tool
} from './testbed.ts'

const { booted, server, ada, play } = await puppetStage(t)
const agent = await ada.agent(local)
const look = tool('look', async ({ args }) => ({ output: { seen: args } }), { idempotent: true })
const fail = tool('fail', async () => ({ output: 'no luck', isError: true }))
play.tools = () => [look, fail]
const script = '/say Let me see\n/call look {"at":"sky"}\n/call fail {}\n/then\n/say Blue'

interface Kept {
  readonly role: string
  readonly content: string
  readonly toolCalls?: { callId: string }[]
  readonly callId?: string
}
interface Asked {
  readonly role: string
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}
const kept = async (sessionId: string) => (await messagesOf(ada, sessionId)) as unknown as Kept[]
const ended = (id: string) => runOnce(ada, id, ({ body }) => body.data.endedAt !== null)

t.test('a session keeps what was called, what came of it, and what was said before', async (t) => {
  const { sessionId, id: runId } = (await run(ada, agent, script)).body.data
  const messages = await kept(sessionId)
  const [one, two] = messages[1]?.toolCalls ?? []
  t.match(messages, [
    { role: 'user', content: script, runId },
    {
      role: 'assistant',
      content: 'Let me see',
      toolCalls: [
        { callId: /^call_/, toolName: 'look', args: { at: 'sky' } },
        { callId: /^call_/, toolName: 'fail', args: {} }
      ],
      runId
    },
    { role: 'tool', callId: one?.callId, toolName: 'look', content: '{"seen":{"at":"sky"}}', isError: false },
    { role: 'tool', callId: two?.callId, toolName: 'fail', content: 'no luck', isError: true },
    { role: 'assistant', content: 'Blue', toolCalls: [], runId }
  ])
  t.equal(messages.length, 5)
  t.notOk('toolCalls' in (messages[0] ?? {}), 'a message has what its role has')

  const chat = (await ada.get(`/v1/agents/sessions/${sessionId}/chat`)).body
  t.match(chat.data, [
    { role: 'assistant', content: 'Blue', toolCalls: [] },
    { role: 'assistant', content: 'Let me see', toolCalls: [{ toolName: 'look' }, { toolName: 'fail' }] },
    { role: 'user' }
  ])
  t.equal(chat.data.length, 3, 'readers of the chat are spared what tools said')
  const page = (await ada.get(`/v1/agents/sessions/${sessionId}/chat?limit=2`)).body
  const rest = (await ada.get(`/v1/agents/sessions/${sessionId}/chat?limit=2&cursor=${page.nextCursor}`)).body
  t.same([...page.data, ...rest.data], chat.data)
  t.match(await booted.as('eve').get(`/v1/agents/sessions/${sessionId}/chat`), { status: 403 })
})

t.test('a later run knows what was called, and what came of it', async (t) => {
  const model = await ada.agent(scripted('tool=look&args={"at":"sky"}&text=Blue'))
  const { sessionId } = (await run(ada, model, 'Look')).body.data
  await run(ada, model, 'And now?', { sessionId })
  // Asked twice in each run: before its call, and after.
  const [{ body: { messages } = { messages: [] } } = {}] = server.requests.slice(-2)
  // As the model named it.
  const callId = /^call_\d+_0$/
  t.match(
    messages.filter(({ role }) => role !== 'system'),
    [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        tool_calls: [{ id: callId, function: { name: 'look', arguments: '{"at":"sky"}' } }]
      },
      { role: 'tool', tool_call_id: callId, content: '<untrusted>\n{"seen":{"at":"sky"}}\n</untrusted>' },
      { role: 'assistant', content: 'Blue' },
      { role: 'user', content: 'And now?' }
    ]
  )
  play.tools = () => []
  await run(ada, model, 'And without?', { sessionId })
  const told = askedLast(server).messages
  t.notOk(
    told.some(({ role }) => role === 'tool'),
    'where there are no tools any more it is told in words'
  )
  t.match(JSON.stringify(told), /called look.*untrusted/)
  play.tools = () => [look, fail]
})

t.test(
  'runs that are cancelled or fail leave what they did, and one that is taken back nothing',
  async (t) => {
    const cliTools = [{ name: 'dig' }]
    const waiting = (await run(ada, agent, '/call look {}\n/call dig {}', { cliTools })).body.data
    await ada.post(`/v1/agents/runs/${waiting.id}/cancel`)
    t.match((await kept(waiting.sessionId)).slice(1), [
      { role: 'assistant', toolCalls: [{ toolName: 'look' }, { toolName: 'dig' }] },
      { role: 'tool', toolName: 'look', content: '{"seen":{}}', isError: false },
      { role: 'tool', toolName: 'dig', content: /ended before/, isError: true }
    ])
    t.match(await run(ada, agent, '/say on', { sessionId: waiting.sessionId }), { status: 200 })

    const failing = await run(ada, agent, '/call look {}\n/then\n/say Half\n/fail 400 Nonsense')
    t.equal(failing.status, 400)
    const { sessionId } = (await ada.get(`/v1/agents/runs/${failing.headers.get('x-run-id')}`)).body.data
    t.match((await kept(sessionId)).slice(1), [
      { role: 'assistant', toolCalls: [{ toolName: 'look' }] },
      { role: 'tool', content: '{"seen":{}}' },
      { role: 'assistant', content: 'Half', toolCalls: [] }
    ])

    const called = Promise.withResolvers<void>()
    play.tools = () => [
      look,
      tool('hang', async ({ signal }) => {
        called.resolve()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      })
    ]
    const first = await listen(booted, ada, STREAM, saying(agent, '/call look {}\n/call hang {}'))
    const { sessionId: other } = await first.until('run_started')
    await called.promise
    const interrupting = { sessionId: other, multitaskStrategy: 'interrupt' }
    t.match(await run(ada, agent, '/say Next', interrupting), { status: 200 })
    t.match((await kept(String(other))).slice(1), [
      { role: 'assistant', toolCalls: [{ toolName: 'look' }, { toolName: 'hang' }] },
      { role: 'tool', toolName: 'look', isError: false },
      { role: 'tool', toolName: 'hang', content: /outcome of this call is unknown/, isError: true },
      { role: 'user', content: '/say Next' },
      { role: 'assistant', content: 'Next' }
    ])
    const asking = (await run(ada, agent, '/call look {}\n/call dig {}', { sessionId: other, cliTools })).body
      .data
    const before = (await kept(String(other))).length
    await run(ada, agent, '/say Instead', { sessionId: other, multitaskStrategy: 'rollback' })
    t.match(await ended(asking.id), { body: { data: { status: 'cancelled' } } })
    const after = await kept(String(other))
    t.equal(after.length, before + 1, 'its question goes, the next and its answer come')
    play.tools = () => [look, fail]
  }
)

t.test('a call that the caller answered is kept like any other', async (t) => {
  const asked = await run(ada, agent, '/call dig {"depth":2}', { cliTools: [{ name: 'dig' }] })
  const { id: runId, sessionId, pending } = asked.body.data
  await ada.post(ANSWER, { runId, callId: pending[0].callId, output: { stones: 3 } })
  await ended(runId)
  t.match((await kept(sessionId)).slice(1, 3), [
    { role: 'assistant', content: '', toolCalls: [{ callId: pending[0].callId, args: { depth: 2 } }] },
    { role: 'tool', callId: pending[0].callId, content: '{"stones":3}', isError: false }
  ])
})

t.test('a call and its result are told together or not at all', async (t) => {
  const { server, ada, play } = await puppetStage(t, { env: { RUN_CONTEXT_MESSAGES: '4' } })
  play.tools = () => [look]
  const model = await ada.agent(scripted('tool=look&tool=look&text=Blue'))
  const { sessionId } = (await run(ada, model, 'Look')).body.data
  for (let turn = 0; turn < 3; turn++) {
    await run(ada, model, `Turn ${turn}`, { sessionId })
    const messages = askedLast(server).messages as unknown as Asked[]
    const asked = messages.flatMap(({ tool_calls: calls = [] }) => calls)
    const answered = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)
    t.same(
      answered,
      asked.map(({ id }) => id),
      JSON.stringify(messages)
    )
  }
})

t.test('much that tools say is cut, and the prompt says so', async (t) => {
  const { server, ada, play } = await puppetStage(t, {
    env: { RUN_CONTEXT_TOKENS: '6144', RUN_COMPACT_AT: '1' }
  })
  play.tools = () => [tool('read', async () => ({ output: 'x'.repeat(5_000) }))]
  const reader = await ada.agent(local)
  const model = await ada.agent(scripted('tool=read&tool=read&text=Read'))
  t.match((await run(ada, model, 'Read')).body.data, { status: 'completed', content: 'Read' })
  const results = askedLast(server).messages.filter(({ role }) => role === 'tool')
  t.match(
    String(results[0]?.content),
    /^<untrusted>\nx+\n\[\d+ of 5000 characters of the result call_\w+ are left out; read_result reads them\]\nx+\n/
  )
  t.match(String(results[1]?.content), /x{2500}/, 'results of one step are cut alike')
  const offered = askedLast(server).tools?.map((it) => (it as { function: { name: string } }).function.name)
  t.same(offered, ['read', 'read_result'], 'the rest can be read')
  const { sessionId } = (await run(ada, reader, '/call read')).body.data
  const messages = await messagesOf(ada, sessionId)
  t.equal(messages.find(({ role }) => role === 'tool')?.content.length, 5_000, 'it is kept whole')
})
