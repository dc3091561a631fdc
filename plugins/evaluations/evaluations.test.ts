// budget: 12 s, because agents answer, and apps and models score what they say
import t from 'tap'
import { boot } from '../../test/boot.ts'
import type { Client } from '../../test/client.ts'
import { packText } from '../../test/pack-folders.ts'
import { until, workshop } from '../../test/packs/stage.ts'
import { testResource } from '../../test/resource.ts'

/** A tool that is called after a decision. */
const desk = packText(
  'desk',
  `contributes: { 'runs.tools': [{ make: () => ({ offer: async () => [{
    name: 'sign', parameters: { type: 'object' }, idempotent: true, approval: 'Signs',
    call: async () => ({ output: 'signed' })
  }] }) }] }`
)
const { folder, write } = await workshop(t)
await write('desk', { 'pack.ts': desk })
const booted = await boot(t, 'evaluations', 'credits', 'ui-plugins', 'sandbox', 'packs', 'desk', {
  folders: [folder],
  env: {
    RUN_MODEL_RETRIES: '0',
    SANDBOX_PROCESSES: '2',
    EVALUATIONS_MOST_DATASETS: '20',
    EVALUATIONS_MOST_ITEMS: '40',
    EVALUATIONS_MOST_RUNNING: '2'
  }
})
const { as, platform, anyone, settled } = booted
const { knex } = platform
const [ada, eve] = [as('ada'), as('eve')]
const local = { modelProvider: 'local' }
const agent = await ada.agent(local)
const base = '/v1/evaluations'

/** The events of a stream that has ended. */
const eventsOf = (text: string) =>
  text.split('\n\n').flatMap((frame) => {
    const line = frame.split('\n').find((it) => it.startsWith('data: '))
    return line ? JSON.parse(line.slice(6)) : []
  })
const make = async (client: Client, path: string, body: object) => {
  const reply = await client.post(`${base}${path}`, body)
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.data
}
const dataset = async (items: object[] = []) => {
  const { id } = await make(ada, '/datasets', { name: 'Answers' })
  if (items.length > 0) await make(ada, `/datasets/${id}/items`, { items })
  return id as string
}
const read = async (path: string, client = ada) => (await client.get(`${base}${path}`)).body.data
const over = (id: string) =>
  until(
    () => read(`/experiments/${id}`),
    ({ status }) => status !== 'running'
  )
const experiment = async (datasetId: string, scorers: object[], more: object = {}) => {
  const { id } = await make(ada, '/experiments', { datasetId, agentId: agent.id, scorers, ...more })
  return over(id)
}

t.test('datasets are the owner’s, and so is what they have', async (t) => {
  await testResource(t, booted, {
    path: `${base}/datasets`,
    create: () => ({ name: 'Refunds' }),
    changes: { name: 'Returns', description: 'What people ask when they send something back' },
    wrong: { name: 7 },
    update: 'patch'
  })
  const id = await dataset([{ input: 'a', expected: 'b', metadata: { topic: 'letters' } }, { input: 'c' }])
  const at = `${base}/datasets/${id}`
  const items = `${at}/items`
  t.match((await ada.get(`${items}?expected=missing`)).body, { data: [{ input: 'c' }], nextCursor: null })
  const [second, first] = (await ada.get(items)).body.data
  t.match(first, { input: 'a', expected: 'b', metadata: { topic: 'letters' }, version: 1 })
  t.match(await ada.patch(`${items}/${second.id}`, { expected: 'd' }), {
    body: { data: { expected: 'd', version: 2 } }
  })
  for (const refused of [
    eve.get(at),
    eve.get(items),
    eve.post(items, { items: [{ input: 'x' }] }),
    eve.patch(`${items}/${first.id}`, { input: 'x' }),
    eve.delete(`${items}/${first.id}`),
    eve.get(`${items}/export`),
    as('robot', { type: 'agent', owner: 'ada' }).get(at)
  ])
    t.match(await refused, { status: 403 })
  t.match(await anyone.get(items), { status: 401 })
  t.match(await ada.get(`${items}/item_nope`), { status: 404 })
  const other = await dataset()
  t.match(await ada.get(`${base}/datasets/${other}/items/${first.id}`), { status: 404 }, 'of another one')
  for (const [body, param] of [
    [{ items: [] }, '/items'],
    [{ items: [{ input: '' }] }, '/items/0/input'],
    [{ items: [{ input: 'a', metadata: { n: 1 } }] }, '/items/0/metadata/n'],
    [{ items: [{ input: 'a', answer: 'b' }] }, '/items/0/answer']
  ] as const)
    t.match(await ada.post(items, body), { status: 400, body: { error: { param } } })
  const many = Array.from({ length: 39 }, () => ({ input: 'x' }))
  t.match(await ada.post(items, { items: many }), { status: 409, body: { error: { code: 'dataset_full' } } })
  t.match(await ada.delete(`${items}/${second.id}`), { status: 200 })
  t.match(await read(`/datasets/${id}`), { itemCount: 1, version: 1 })
  await ada.delete(`${base}/datasets/${other}`)
  const made: number[] = []
  while (made.at(-1) !== 409 && made.length < 20)
    made.push((await ada.post(`${base}/datasets`, { name: 'More' })).status)
  t.equal(made.at(-1), 409, 'an owner has twenty at most')
  for (const { id } of (await ada.get(`${base}/datasets?limit=100`)).body.data)
    t.match(await ada.delete(`${base}/datasets/${id}`), { status: 200 })
  await settled()
  t.same(await knex('evaluations.item').where({ owner: 'ada' }), [])
})

t.test('items come from files, and go into files that can be read again', async (t) => {
  const id = await dataset()
  const load = (to: string, type: string, body: string, client = ada) =>
    client.request('POST', `${base}/datasets/${to}/items/import`, { body, headers: { 'content-type': type } })
  const csv =
    '\ufeffinput,expected,topic\r\n"Say ""hi"", please",hi,greeting\r\n"two\nlines",,\r\n=1+1,2,maths\r\n'
  t.match(await load(id, 'text/csv', csv), { status: 201, body: { data: { count: 3 } } })
  const rows = (await ada.get(`${base}/datasets/${id}/items`)).body.data.reverse()
  t.match(rows, [
    { input: 'Say "hi", please', expected: 'hi', metadata: { topic: 'greeting' } },
    { input: 'two\nlines', expected: null, metadata: {} },
    { input: '=1+1', expected: '2' }
  ])
  for (const format of ['csv', 'jsonl']) {
    const file = await fetch(`${booted.url}${base}/datasets/${id}/items/export?format=${format}`, {
      headers: { authorization: `Bearer ${await ada.key()}` }
    })
    t.match(file.headers.get('content-type'), format === 'csv' ? /^text\/csv/ : /^application\/jsonl/)
    const copy = await dataset()
    t.match(await load(copy, String(file.headers.get('content-type')), await file.text()), { status: 201 })
    const what = ({ input, expected, metadata }: Record<string, unknown>) => ({ input, expected, metadata })
    const back = (await ada.get(`${base}/datasets/${copy}/items`)).body.data.reverse()
    t.same(back.map(what), rows.map(what), format)
  }
  for (const [type, body, status, message] of [
    ['text/csv', 'question,answer\na,b', 400, /no column "input"/],
    ['text/csv', 'input,expected\na,b\n"c', 400, /Line 3/],
    ['application/jsonl', '{"input":"a"}\n{"input":7}', 400, /Line 2: input must be string/],
    ['application/jsonl', '{"input":"a"}\nnonsense', 400, /Line 2 is not JSON/],
    ['application/jsonl', `${JSON.stringify({ input: 'a' })}\n`.repeat(41), 400, /Line 41/],
    ['application/jsonl', '', 400, /no item/],
    ['text/plain', 'a', 415, /text\/csv/]
  ] as const)
    t.match(await load(id, type, body), { status, body: { error: { message } } }, body.slice(0, 40))
  t.match(await load(id, 'text/csv', csv, eve), { status: 403 })
  t.equal((await read(`/datasets/${id}`)).itemCount, 3, 'a file that is wrong adds nothing')
})

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

t.test('a function of an app scores, and what it gives is looked at', async (t) => {
  const manifest = {
    ...{ manifestVersion: 1, id: 'grader', name: 'Grader', version: '1.0.0', description: 'Grades' },
    server: { entry: 'server.js' },
    ...{ capabilities: [], egress: [], connections: [], pages: [] },
    functions: [{ name: 'grade', description: 'Grades', input: { type: 'object' }, tool: false }]
  }
  const text = `export const functions = { async grade({ input, output, expected, metadata }) {
    if (input === 'throws') throw new Error('No idea')
    return input === 'odd' ? 7 : { score: output.endsWith(expected) ? 0.75 : 0, reason: metadata.topic }
  } }`
  await ada.put('/v1/ui-plugins', { manifest, files: { 'server.js': { text } } })
  t.match(await ada.put('/v1/ui-plugins/grader/status', { status: 'enabled' }), { status: 200 })
  const id = await dataset([
    { input: 'good', expected: 'good', metadata: { topic: 'words' } },
    { input: 'odd' },
    { input: 'throws' }
  ])
  const scorer = { type: 'app_function', app: 'grader', function: 'grade' }
  const { id: made } = await experiment(id, [scorer])
  const scores = (await ada.get(`${base}/experiments/${made}/results`)).body.data.reverse()
  t.match(scores, [
    { scores: [{ score: 0.75, passed: true, reason: 'words' }], passed: true },
    { scores: [{ score: null, reason: /not from 0 to 1/ }], passed: null },
    { scores: [{ score: null, reason: /No idea/ }] }
  ])
  const wrong = { datasetId: id, agentId: agent.id, scorers: [{ ...scorer, function: 'nope' }] }
  t.match(await ada.post(`${base}/experiments`, wrong), {
    status: 400,
    body: { error: { param: '/scorers/0/function' } }
  })
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

t.test('thumbs say what an answer was worth, and make items of a dataset', async (t) => {
  const ask = async (content: string) => {
    const body = { agentId: agent.id, messages: [{ role: 'user', content }] }
    return (await ada.post('/v1/agents/run', body)).body.data.id
  }
  const runId = await ask('Paris')
  const at = `/v1/agents/runs/${runId}/feedback`
  const datasetId = await dataset()
  t.match(await ada.get(at), { status: 404 })
  t.match(await ada.put(at, { thumb: 'up', comment: 'Nice', datasetId }), {
    status: 200,
    body: { data: { owner: 'ada', runId, thumb: 'up', comment: 'Nice', version: 1, itemId: String } }
  })
  const rows = async () => (await ada.get(`${base}/datasets/${datasetId}/items`)).body.data
  t.match(await rows(), [
    { input: 'Paris', expected: 'You said: Paris', runId, metadata: { comment: 'Nice' } }
  ])
  t.match(await ada.put(at, { thumb: 'down', datasetId }), { body: { data: { thumb: 'down', version: 2 } } })
  const [item] = await rows()
  t.match(item, { expected: null }, 'it is to be filled in')
  await ada.patch(`${base}/datasets/${datasetId}/items/${item.id}`, { expected: 'The capital of France' })
  await ada.put(at, { thumb: 'up', datasetId })
  t.match(await rows(), [{ id: item.id, expected: 'The capital of France' }], 'what a person wrote stays')
  t.match((await ada.get(`${base}/feedback?agentId=${agent.id}&runId=${runId}&thumb=up`)).body.data, [
    { runId }
  ])
  t.same((await ada.get(`${base}/feedback?thumb=down`)).body.data, [])
  const slow = (await make(ada, '/experiments', {
    ...{ agentId: agent.id, scorers: [{ type: 'exact' }] },
    datasetId: await dataset([{ input: '/wait 60000\n/repeat 9 word' }])
  })) as { id: string }
  const open = await until(
    async () => (await ada.get(`/v1/runs?agentId=${agent.id}&status=running`)).body.data[0],
    (run) => run !== undefined
  )
  t.match(await ada.put(`/v1/agents/runs/${open.id}/feedback`, { thumb: 'up' }), {
    status: 409,
    body: { error: { code: 'run_under_way' } }
  })
  await ada.post(`${base}/experiments/${slow.id}/cancel`)
  await ada.put(`/v1/agents/runs/${runId}/sharing`, { audience: 'project' })
  for (const refused of [
    eve.put(at, { thumb: 'down' }),
    eve.get(at),
    eve.delete(at),
    eve.get(`${base}/feedback?agentId=${agent.id}`),
    as('robot', { type: 'agent', owner: 'ada' }).put(at, { thumb: 'up' })
  ])
    t.match(await refused, { status: 403 })
  t.match(await ada.put('/v1/agents/runs/run_nope/feedback', { thumb: 'up' }), { status: 404 })
  t.match(await ada.put(at, { thumb: 'sideways' }), { status: 400, body: { error: { param: '/thumb' } } })
  t.match(await ada.put(at, { thumb: 'up', datasetId: 'dataset_nope' }), {
    status: 404,
    body: { error: { param: '/datasetId' } }
  })
  const hers = (await make(eve, '/datasets', { name: 'Hers' })).id
  t.match(await ada.put(at, { thumb: 'up', datasetId: hers }), { status: 403 })
  t.match(await ada.delete(at), { status: 200 })
  t.match(await ada.get(at), { status: 404 })
  t.equal((await rows()).length, 1, 'the item stays')
  const told = await knex('kernel.fact')
    .where({ subject: runId })
    .whereLike('name', 'evaluations.%')
    .select('data')
  t.equal(told.length, 4)
  t.notMatch(JSON.stringify(told), /Nice|Paris/)
})
