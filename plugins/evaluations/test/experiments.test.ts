// budget: 8 s, because agents answer, and models score what they say
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { base, eventsOf, stage } from './testbed.ts'

const { as, settled, knex, ada, eve, agent, local, make, dataset, read, over, experiment } = await stage(t)

t.test('an experiment runs each item once, scores it, and tells as it goes', async (t) => {
  const grade = '/say {"reason":"Good enough","score":8}'
  const id = await dataset([
    { input: 'Paris', expected: 'You said: Paris' },
    { input: 'Rome', expected: 'you said: rome' },
    { input: 'Oslo' },
    { input: '/fail 500 No luck', expected: 'x' },
    { input: '/call sign {}', expected: 'x' }
  ])
  const { id: experimentId, ...begun } = await make(ada, '/experiments', {
    datasetId: id,
    agentId: agent.id,
    version: agent.version,
    concurrency: 2,
    scorers: [
      { type: 'exact' },
      { type: 'contains', name: 'loose', ignoreCase: true },
      { type: 'json_schema', schema: { type: 'object' } },
      { type: 'judge', rubric: grade, threshold: 0.9, model: { modelProvider: 'local', modelId: null } }
    ]
  })
  t.match(begun, { status: 'running', itemCount: 5, endedCount: 0, summary: null, agentVersion: 1 })
  t.match(await ada.delete(`${base}/experiments/${experimentId}`), { status: 409 })
  t.match(await ada.delete(`${base}/datasets/${id}`), { body: { error: { code: 'experiment_running' } } })
  const ended = await over(experimentId)
  t.match(ended, {
    status: 'completed',
    endedCount: 5,
    summary: {
      completed: 3,
      failed: 2,
      passed: 0,
      scorers: [
        { scorer: 'exact', score: 0.5, passRate: 0.5, scored: 2 },
        { scorer: 'loose', score: 1, scored: 2 },
        { scorer: 'json_schema', score: 0, scored: 3 },
        { scorer: 'judge', score: 0.8, passRate: 0, scored: 3 }
      ],
      usage: { inputTokens: Number },
      latency: { mean: Number, p95: Number }
    }
  })
  t.ok(ended.summary.usage.outputTokens > 0)
  const results = (await ada.get(`${base}/experiments/${experimentId}/results`)).body.data.reverse()
  t.match(results, [
    {
      input: 'Paris',
      output: 'You said: Paris',
      status: 'completed',
      scores: [
        { scorer: 'exact', score: 1, passed: true },
        { scorer: 'loose', passed: true },
        { scorer: 'json_schema', passed: false, reason: 'It is not JSON' },
        { scorer: 'judge', score: 0.8, passed: false, reason: 'Good enough' }
      ],
      error: null,
      milliseconds: Number,
      usage: { inputTokens: Number }
    },
    { input: 'Rome', scores: [{ score: 0 }, { score: 1 }] },
    { input: 'Oslo', scores: [{ score: null, passed: null, reason: /no expected/ }] },
    { status: 'failed', output: null, error: { code: 'model_error' } },
    { status: 'failed', error: { code: 'needs_answer' } }
  ])
  const runs = await knex('runs.run').where({ agentId: agent.id }).select('id', 'status')
  t.same(
    runs.map(({ id }) => id).sort(),
    results.map(({ runId }: { runId: string }) => runId).sort(),
    'each item has one run, and a session of its own'
  )
  const stopped = () => knex('runs.run').where({ id: results[4].runId }).first('status')
  await until(stopped, ({ status }) => status === 'cancelled')
  const told = eventsOf((await ada.get(`${base}/experiments/${experimentId}/stream`)).text)
  t.same(
    told.map(({ type }) => type),
    ['status', ...Array(5).fill('result'), 'completed']
  )
  t.match(told.at(-1), { experimentId, seq: 6, summary: { completed: 3 } })
  t.match(eventsOf((await ada.get(`${base}/experiments/${experimentId}/stream?after=5`)).text), [
    { type: 'completed' }
  ])
  t.match((await ada.get(`${base}/experiments/${experimentId}/results?outcome=failed`)).body.data.length, 2)
  t.match((await ada.get(`${base}/experiments?datasetId=${id}&status=completed`)).body.data, [
    { id: experimentId }
  ])
  await settled()
  const facts = await knex('kernel.fact').where({ subject: experimentId }).select('name', 'data')
  t.same(facts.map(({ name }) => name).sort(), [
    'evaluations.experiment_completed',
    'evaluations.experiment_started'
  ])
  t.notMatch(JSON.stringify(facts), /Paris|rubric/)
  const asked = await knex('kernel.fact').where({ name: 'models.asked' }).select('data', 'owner')
  t.match(asked, [{ owner: 'ada', data: { purpose: 'judging', agentId: agent.id } }, {}, {}])
  t.match(await ada.delete(`${base}/experiments/${experimentId}`), { status: 200 })
  const left = () => knex('sessions.session').where({ agentId: agent.id }).select('id')
  await until(left, (rows) => rows.length === 0)
  t.same(await knex('evaluations.result').where({ experimentId }), [])
})

t.test('experiments of a dataset are compared, item by item', async (t) => {
  const id = await dataset(
    ['one', 'two', 'three'].map((input) => ({ input, expected: `You said: ${input}` }))
  )
  const first = await experiment(id, [{ type: 'exact' }], { name: 'Before' })
  const [three, , one] = (await ada.get(`${base}/datasets/${id}/items`)).body.data
  const expect = (item: { id: string }, expected: string) =>
    ada.patch(`${base}/datasets/${id}/items/${item.id}`, { expected })
  await expect(one, 'nothing')
  const second = await experiment(id, [{ type: 'exact' }, { type: 'contains', text: 'said' }])
  await expect(three, 'nothing')
  const ids = `ids=${first.id},${second.id}`
  const compared = await read(`/compare?${ids}`)
  t.match(compared.experiments, [
    { experiment: { name: 'Before' }, score: 0, improved: 0, regressed: 0, same: 3 },
    { experiment: { id: second.id }, passRate: Number, improved: 0, regressed: 1, same: 2 }
  ])
  t.match(compared.experiments[1].scorers, [{ scorer: 'exact' }, { scorer: 'contains', score: null }])
  const page = (await ada.get(`${base}/compare/items?${ids}&limit=2`)).body
  t.match(page.data[0], {
    id: three.id,
    results: [
      { score: 1, change: 'same' },
      { score: 1, change: 'same' }
    ]
  })
  const rest = await ada.get(`${base}/compare/items?${ids}&limit=2&cursor=${page.nextCursor}`)
  t.match(rest.body, { data: [{ id: one.id, results: [{}, { change: 'regressed' }] }], nextCursor: null })
  t.match((await ada.get(`${base}/compare/items?${ids}&change=regressed`)).body.data, [{ id: one.id }])
  t.same((await ada.get(`${base}/compare/items?${ids}&change=improved`)).body.data, [])
  const elsewhere = await experiment(await dataset([{ input: 'x' }]), [{ type: 'contains', text: 'x' }])
  for (const [query, status] of [
    [`ids=${first.id}`, 400],
    [`ids=${first.id},${first.id}`, 400],
    [`ids=${first.id},${elsewhere.id}`, 400],
    [`ids=${first.id},experiment_nope`, 404]
  ] as const)
    t.match(await ada.get(`${base}/compare?${query}`), { status, body: { error: { param: 'ids' } } })
  t.match(await eve.get(`${base}/compare?${ids}`), { status: 403 })
  t.match(await eve.get(`${base}/compare/items?${ids}`), { status: 403 })
})

t.test('what is under way can be cancelled, and ends where its agent is edited', async (t) => {
  const id = await dataset(Array.from({ length: 4 }, () => ({ input: '/wait 60000\n/repeat 9 word' })))
  const body = { datasetId: id, agentId: agent.id, concurrency: 1, scorers: [{ type: 'exact' }] }
  const slow = await make(ada, '/experiments', body)
  const running = await until(
    async () => (await ada.get(`${base}/experiments/${slow.id}/results`)).body.data.reverse()[0],
    ({ status, runId }) => status === 'running' && runId !== null
  )
  const begun = () => knex('runs.run').where({ id: running.runId }).first('status')
  await until(begun, (run) => run !== undefined)
  t.match(await eve.post(`${base}/experiments/${slow.id}/cancel`), { status: 403 })
  t.match(await ada.post(`${base}/experiments/${slow.id}/cancel`), {
    status: 200,
    body: { data: { status: 'cancelled', summary: { completed: 0 } } }
  })
  t.match(await ada.post(`${base}/experiments/${slow.id}/cancel`), { status: 409 })
  await until(begun, ({ status }) => status === 'cancelled')
  t.same(eventsOf((await ada.get(`${base}/experiments/${slow.id}/stream`)).text).at(-1)?.type, 'cancelled')

  const edited = await ada.agent({ ...local, name: 'Edited' })
  const quick = await dataset([{ input: '/wait 100\n/repeat 4 word' }, { input: 'two' }])
  const { id: made } = await make(ada, '/experiments', { ...body, datasetId: quick, agentId: edited.id })
  await ada.put(`/v1/agents/${edited.id}`, { name: 'Other' })
  t.match(await over(made), { status: 'failed', error: { code: 'agent_changed' } })
  const late = { ...body, datasetId: quick, agentId: edited.id, version: 1 }
  t.match(await ada.post(`${base}/experiments`, late), {
    status: 409,
    body: { error: { code: 'agent_changed' } }
  })
  await ada.delete(`/v1/agents/${edited.id}`)
  await settled()
  t.match(await ada.get(`${base}/experiments/${made}`), { status: 404 }, 'it goes with its agent')
})

t.test('nothing begins that must not', async (t) => {
  const id = await dataset([{ input: 'x' }])
  const body = { datasetId: id, agentId: agent.id, scorers: [{ type: 'exact' }] }
  const post = (changes: object, client = ada) => client.post(`${base}/experiments`, { ...body, ...changes })
  const hers = await eve.agent(local)
  const empty = await dataset()
  for (const [changes, status, param] of [
    [{ datasetId: 'dataset_nope' }, 404, '/datasetId'],
    [{ datasetId: empty }, 400, '/datasetId'],
    [{ agentId: hers.id }, 403, '/agentId'],
    [{ scorers: [] }, 400, '/scorers'],
    [{ scorers: [{ type: 'luck' }] }, 400, '/scorers/0/type'],
    [{ scorers: [{}] }, 400, '/scorers/0/type'],
    [{ scorers: [{ type: 'judge' }] }, 400, '/scorers/0/rubric'],
    [{ scorers: [{ type: 'exact', rubric: 'x' }] }, 400, '/scorers/0/rubric'],
    [{ scorers: [{ type: 'exact' }, { type: 'exact' }] }, 400, '/scorers/1/name'],
    [{ scorers: [{ type: 'json_schema', schema: { type: 'nonsense' } }] }, 400, '/scorers/0/schema/type'],
    [{ scorers: [{ type: 'judge', rubric: 'x', model: { modelProvider: 'nope', modelId: null } }] }, 400],
    [{ scorers: [{ type: 'app_function', app: 'nope', function: 'x' }] }, 404, '/scorers/0/app'],
    [{ model: { modelProvider: 'nope', modelId: null } }, 400, '/model/modelProvider'],
    [{ concurrency: 11 }, 400, '/concurrency']
  ] as const)
    t.match(await post(changes), { status, body: { error: { ...(param && { param }) } } }, String(param))
  const luck = await post({ scorers: [{ type: 'luck' }] })
  t.match(luck.body.error.message, /must be one of exact, contains, json_schema, judge, app_function/)
  t.match(await post({ agentId: hers.id }, eve), { status: 403 }, 'with someone else’s dataset')
  const narrow = as('ada', { scopes: ['evaluations:write', 'evaluations:read'] })
  t.match(await post({}, narrow), { status: 403, body: { error: { code: 'scope_missing' } } })
  const { id: made } = await experiment(id, [{ type: 'exact' }])
  for (const path of ['', '/results', '/stream'])
    t.match(await eve.get(`${base}/experiments/${made}${path}`), { status: 403 })
  t.match(await eve.delete(`${base}/experiments/${made}`), { status: 403 })
  t.match(await ada.get(`${base}/experiments/experiment_nope/results`), { status: 404 })
  const slow = await dataset([{ input: '/wait 60000\n/repeat 9 word' }])
  const some = [await post({ datasetId: slow }), await post({ datasetId: slow })]
  t.match(await post({}), { status: 429, body: { error: { code: 'too_many_running' } } })
  for (const { body } of some) await ada.post(`${base}/experiments/${body.data.id}/cancel`)
})
