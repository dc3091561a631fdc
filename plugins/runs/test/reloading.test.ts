import t from 'tap'
import {
  eventsOf,
  listen,
  local,
  puppetStage,
  run,
  runOnce,
  STREAM,
  saying,
  scripted,
  streamed,
  tool,
  typesOf
} from './testbed.ts'

const { booted, server, ada, play } = await puppetStage(t, { packs: ['packs'] })
const { admin } = booted
const switched = (pack: string, enabled: boolean) => admin.put(`/v1/packs/${pack}`, { enabled })

t.test('a reload in the middle of a reply is not noticed', async (t) => {
  const agent = await ada.agent(scripted('numbered=1&tokens=40&delay=10'))
  const before = server.stats.requests
  const stream = await listen(booted, ada, STREAM, saying(agent, 'Count'))
  const waiting = run(ada, agent, 'Count')
  await stream.until('token')
  t.match(await admin.post('/v1/packs/runs/reload'), { status: 200 })
  const events = await stream.rest()
  t.same([...new Set(typesOf(events))], ['run_started', 'status', 'agent_step', 'token', 'final'])
  t.match(await waiting, { status: 200, body: { data: { content: events.at(-1)?.content } } })
  t.equal(server.stats.requests, before + 2)
})

t.test('while runs are off they stay where they are, and go on afterwards', async (t) => {
  const agent = await ada.agent(local)
  const called = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  let calls = 0
  play.tools = () => [
    tool('work', async () => {
      calls++
      called.resolve()
      await over.promise
      return { output: 'worked' }
    })
  ]
  const script = '/say Let me see\n/call work {}\n/then\n/say Done'
  const stream = await listen(booted, ada, STREAM, saying(agent, script))
  await called.promise
  t.match(await switched('runs', false), { status: 200 })
  t.match(await ada.get(`/v1/agents/runs/${stream.runId}`), { status: 404 })
  over.resolve()
  t.match(await switched('runs', true), { status: 200 })
  const { body } = await runOnce(ada, stream.runId, ({ body }) => body.data?.endedAt)
  t.match(body.data, { status: 'completed', content: 'Done' })
  t.equal(calls, 1)
  const events = eventsOf((await ada.post(`/v1/agents/runs/${stream.runId}/stream`)).text)
  t.same(
    events.map(({ seq }) => seq),
    events.map((_, seq) => seq)
  )
  const types = typesOf(events)
  for (const once of ['toolStart', 'toolEnd', 'final'])
    t.equal(types.filter((type) => type === once).length, 1, once)
})

t.test('a tool whose pack went in the middle is no tool any more', async (t) => {
  const agent = await ada.agent(local)
  play.tools = () => [tool('go', async () => ({ output: (await switched('puppet', false)).status }))]
  const { events } = await streamed(ada, agent, '/call go {}\n/then\n/call go {}\n/then\n/say Done')
  t.match(
    events.filter(({ type }) => type === 'toolEnd'),
    [
      { output: 200, isError: false },
      { output: /no tool go/, isError: true }
    ]
  )
  t.match(events.at(-1), { type: 'final', content: 'Done' })
})
