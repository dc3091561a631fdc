import t from 'tap'
import { askedOf, puppetStage, run, scripted, streamed, tool } from './testbed.ts'

const { booted, server, ada, play } = await puppetStage(t, {
  env: { RUN_IDLE_SECONDS: '1', RUN_MODEL_RETRIES: '2' }
})
let count = 0
/** Models of this test only, so that no circuit is open from another one. */
const model = (script: string) => scripted(`${script}&run=fallback-${count++}`)
const named = ({ modelProvider, modelId }: ReturnType<typeof scripted>) => ({ modelProvider, modelId })
async function agentOf(first: ReturnType<typeof scripted>, ...fallbacks: ReturnType<typeof scripted>[]) {
  return ada.agent({ ...first, options: { fallbacks: fallbacks.map(named) } })
}

t.test('another model answers for one that is limited, unavailable or silent', async (t) => {
  for (const [script, reason] of [
    ['status=429', 'rate_limited'],
    ['status=503', 'unavailable'],
    ['status=529', 'unavailable'],
    ['cutAt=0', 'unreachable'],
    ['hang=headers', 'silent']
  ] as const) {
    const [first, second] = [model(script), model('text=Second')]
    const agent = await agentOf(first, second)
    const { events, runId } = await streamed(ada, agent, 'Hi')
    t.match(events.at(-1), { type: 'final', content: 'Second' }, script)
    t.equal(askedOf(server, first).length, 1, 'it is not tried again while another one is left')
    const fallback = { step: 1, from: named(first), to: named(second), reason }
    t.match(
      events.find(({ type }) => type === 'model_fallback'),
      fallback
    )
    t.same((await ada.get(`/v1/agents/runs/${runId}`)).body.data.fallbacks, [fallback])
    const listed = await ada.get(`/v1/runs?agentId=${agent.id}`)
    t.match(listed.body.data, [named(second)], 'the record says which model answered')
  }
})

t.test('each fallback is used in order, and the last one is tried again', async (t) => {
  const [first, second, third] = [
    model('status=500'),
    model('status=429'),
    model('status=500&times=1&text=Third')
  ]
  const { events } = await streamed(ada, await agentOf(first, second, third), 'Hi')
  t.match(events.at(-1), { type: 'final', content: 'Third' })
  t.match(
    events
      .filter(({ type }) => type === 'model_fallback')
      .map((event) => (event as unknown as { to: object }).to),
    [named(second), named(third)]
  )
  t.equal(askedOf(server, third).length, 2)
  const bad = [model('status=500'), model('status=500')] as const
  t.match((await run(ada, await agentOf(...bad), 'Hi')).status, 502)
})

t.test('a run stays with the model that it switched to', async (t) => {
  play.tools = () => [tool('look', async () => ({ output: 'seen' }))]
  const [first, second] = [model('status=503'), model('tool=look&args={}&text=Done')]
  const { events } = await streamed(ada, await agentOf(first, second), 'Look')
  t.match(events.at(-1), { type: 'final', content: 'Done' })
  t.equal(askedOf(server, first).length, 1)
  t.equal(askedOf(server, second).length, 2)
  delete play.tools
})

t.test('a refusal, a wrong request and a reply that has begun are not passed on', async (t) => {
  for (const script of ['status=400', 'status=401', 'status=404', 'finish=content_filter&tokens=0']) {
    const [first, second] = [model(script), model('text=Second')]
    const { events } = await streamed(ada, await agentOf(first, second), 'Hi')
    t.equal(events.at(-1)?.type, 'error', script)
    t.equal(askedOf(server, second).length, 0)
  }
  const [cut, second] = [model('text=One two three four&cutAt=2'), model('text=Second')]
  const { events } = await streamed(ada, await agentOf(cut, second), 'Hi')
  t.equal(events.at(-1)?.type, 'error')
  t.equal(askedOf(server, second).length, 0)
})

t.test('a model that fails repeatedly is passed over for a while', async (t) => {
  const [first, second] = [model('status=503&times=3&text=First'), model('text=Second')]
  const agent = await agentOf(first, second)
  // Each asks something else: the server fails as often for each.
  for (const said of ['One', 'Two', 'Three']) await run(ada, agent, said)
  t.equal(askedOf(server, first).length, 3)
  const { events } = await streamed(ada, agent, 'Four')
  t.match(
    events.find(({ type }) => type === 'model_fallback'),
    { reason: 'circuit_open', to: named(second) }
  )
  t.equal(askedOf(server, first).length, 3, 'it is not asked')
  const circuit = () => booted.platform.knex('runs.circuit').where('model', 'like', `%${first.modelId}`)
  await circuit().update({ openUntil: '2020-01-01T00:00:00Z' })
  await new Promise((resolve) => setTimeout(resolve, 5_200))
  t.match((await run(ada, agent, 'Five')).body.data, { content: 'First' }, 'then it is asked again')
  t.same(await circuit(), [], 'an answer closes the circuit')
})

t.test('refuses fallbacks of providers that do not exist', async (t) => {
  const fallbacks = [{ modelProvider: 'nobody', modelId: 'x' }]
  t.match(await ada.post('/v1/agents', { name: 'Ada', options: { fallbacks } }), {
    status: 400,
    body: { error: { param: '/options/fallbacks/0/modelProvider' } }
  })
  const agent = await ada.agent(model('text=Fine'))
  t.match(await ada.put(`/v1/agents/${agent.id}`, { options: { fallbacks } }), { status: 400 })
  t.match(await run(ada, agent, 'Hi', { options: { fallbacks } }), { status: 400 })
})

t.test('a project has fallbacks for agents without any of their own', async (t) => {
  const project = 'with-fallbacks'
  const service = booted.as('backend', { type: 'service', project })
  const bea = booted.as('bea', { project })
  const [first, second] = [model('status=503'), model('text=Second')]
  const models = [named(second)]
  const PATH = '/v1/models/fallbacks'
  t.match((await bea.get(PATH)).body.data, { models: [], version: 0, updatedAt: null })
  t.match(await bea.put(PATH, { models }), { status: 403, body: { error: { code: 'not_project_wide' } } })
  t.match(await service.put(PATH, { models: [{ modelProvider: 'nobody', modelId: null }] }), {
    status: 400,
    body: { error: { param: '/models/0/modelProvider' } }
  })
  t.match(await service.put(PATH, { models }), { status: 200, body: { data: { models, version: 1 } } })
  t.match((await service.put(PATH, { models })).body.data, { version: 1 }, 'the same again is no edit')
  t.match(await service.put(PATH, { models: [] }, { 'if-match': '"7"' }), { status: 412 })
  const agent = await bea.agent(first)
  t.match((await run(bea, agent, 'Hi')).body.data, {
    content: 'Second',
    fallbacks: [{ reason: 'unavailable', to: named(second) }]
  })
  const without = await bea.agent({ ...model('status=503'), options: { fallbacks: [] } })
  t.match((await run(bea, without, 'Hi')).status, 503, 'an agent can have none')
  t.match((await run(ada, await ada.agent(model('status=503')), 'Hi')).status, 503, 'nor has another project')
})
