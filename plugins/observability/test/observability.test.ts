import { timeOfId } from 'agent-platform'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createRemovals } from '../removals.ts'
import { createEventStore } from '../stores/events.ts'
import { createUsageStore } from '../stores/usage.ts'
import type { Any } from './testbed.ts'
import { follow, got, local, run } from './testbed.ts'

const booted = await boot(t, 'observability', 'credits', 'goals', 'models', 'tools', 'toolbox', 'packs')
const { as, settled, platform, admin, url } = booted
const [ada, eve] = [as('ada'), as('eve')]
const agent = await ada.agent({ ...local, name: 'Clerk' })
await admin.post('/v1/credits/prices', { kind: 'model', target: 'local/*', output: '1000' })
await admin.post('/v1/credits/prices', { kind: 'tool', target: 'calculator', call: '0.5' })
await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
const first = await run(ada, agent, 'one two three')
const second = await run(ada, agent, '/call calculator {"expression":"1+1"}', { sessionId: first.sessionId })
await settled()
const spent = (first.usage.outputTokens + second.usage.outputTokens) / 1_000 + 0.5

t.test('usage is what runs and tools used, priced, by agent, session, model, tool and day', async (t) => {
  const of = (path: string) => got(ada, `/v1/usage/${path}`)
  const report = await of(`agents/${agent.id}`)
  const total = {
    modelCalls: 3,
    toolCalls: 1,
    toolErrors: 0,
    inputTokens: first.usage.inputTokens + second.usage.inputTokens,
    outputTokens: first.usage.outputTokens + second.usage.outputTokens,
    cost: String(Number(spent.toFixed(6))),
    unpricedModelCalls: 0,
    estimatedModelCalls: 0
  }
  t.match(report, { interval: 'day', currency: 'credits', total })
  t.match(report.items, [{ start: /T00:00:00.000Z$/, agentId: null, ...total }])
  t.match((await of(`sessions/${first.sessionId}`)).total, total, 'calls of tools are found by their run')
  for (const interval of ['hour', 'month', 'all'])
    t.match((await of(`agents/${agent.id}?interval=${interval}`)).total, total, interval)
  const parts = (await of(`agents/${agent.id}?groupBy=model,tool&interval=all`)).items
  t.match(parts, [
    { modelProvider: 'local', modelId: String, toolName: null, modelCalls: 3, toolCalls: 0, start: null },
    { modelProvider: null, toolName: 'calculator', toolCalls: 1, cost: '0.5' }
  ])
  t.match((await of(`agents/${agent.id}?groupBy=tool`)).items, [{ toolName: 'calculator' }])
  const bySession = (await got(ada, '/v1/usage?groupBy=agent,session')).items
  t.match(
    bySession,
    [
      { agentId: agent.id, sessionId: first.sessionId, modelCalls: 3 },
      { agentId: agent.id, sessionId: null, toolCalls: 1 }
    ],
    'calls of tools are of no session here'
  )
  t.equal((await got(eve, '/v1/usage')).total.modelCalls, 0)

  const from = new Date(Date.now() + 60_000).toISOString()
  t.match((await of(`agents/${agent.id}?from=${from}&to=${from}`)).items, [])
  t.match((await of(`agents/${agent.id}?to=2020-01-01T00:00:00Z`)).total, { modelCalls: 0, cost: null })
})

t.test('usage as CSV', async (t) => {
  const reply = await ada.get(`/v1/usage/agents/${agent.id}?groupBy=model`, { accept: 'text/csv' })
  t.match(reply.headers.get('content-type'), /^text\/csv/)
  const [names, line, end] = reply.text.split('\r\n')
  t.match(names ?? '', /^start,agentId,sessionId,modelProvider/)
  t.match(line ?? '', /^20[^,]+,,,local,/)
  t.equal(end, '')
})

t.test('what is asked wrongly or of others', async (t) => {
  const session = first.sessionId
  for (const path of [
    `/v1/usage/agents/${agent.id}`,
    `/v1/usage/sessions/${session}`,
    `/v1/logs/agents/${agent.id}`,
    `/v1/logs/agents/${agent.id}/observability`,
    `/v1/activity/events?agentId=${agent.id}`,
    `/v1/activity/events?sessionId=${session}`,
    `/v1/activity/stream?agentId=${agent.id}`
  ]) {
    t.match(await eve.get(path), { status: 403, body: { error: { code: 'not_owner' } } }, path)
    t.match(await ada.get(path.replaceAll(/(agent|session)_\w+/g, '$1_nope')), { status: 404 }, path)
  }
  for (const [path, param] of [
    [`/v1/usage/agents/${agent.id}?from=yesterday`, 'from'],
    [`/v1/usage/agents/${agent.id}?from=2030-01-01T00:00:00Z&to=2029-01-01T00:00:00Z`, 'from'],
    [`/v1/usage/agents/${agent.id}?from=2000-01-01T00:00:00Z&interval=hour`, 'interval'],
    [`/v1/usage/agents/${agent.id}?groupBy=colour`, 'groupBy'],
    ['/v1/activity/events?type=Runs', 'type'],
    ['/v1/activity/events?cursor=x', 'cursor'],
    [`/v1/logs/agents/${agent.id}/observability?status=odd`, 'status'],
    [`/v1/logs/agents/${agent.id}?colour=red`, 'colour']
  ])
    t.match(await ada.get(path as string), { status: 400, body: { error: { param } } }, String(path))
  const narrow = as('narrow', { scopes: ['agents:read'] })
  t.match(await narrow.get(`/v1/usage/agents/${agent.id}`), { status: 403 })
})

t.test('facts that are told again count once', async (t) => {
  const count = async () => (await got(ada, `/v1/usage/agents/${agent.id}`)).total
  const before = await count()
  const { knex } = platform
  await knex('kernel.fact_cursor')
    .where({ pack: 'observability' })
    .update({ transaction: '0', position: 0, since: '1:1:' })
  await run(ada, agent, 'again')
  await settled()
  t.equal((await count()).modelCalls, before.modelCalls + 1)
  t.equal((await count()).toolCalls, before.toolCalls)
})

t.test('logs: who did what with an agent; the activity, narrowed', async (t) => {
  const path = `/v1/logs/agents/${agent.id}`
  const { data } = (await ada.get(path)).body
  t.match(data.at(-1), {
    type: 'agents.created',
    actor: 'ada',
    subject: agent.id,
    details: { name: 'Clerk' }
  })
  const ended = data.find(
    ({ runId, type }: { runId: string; type: string }) => runId === second.id && type === 'runs.completed'
  )
  t.match(ended, { sessionId: first.sessionId, owner: 'ada', details: { modelProvider: 'local' } })
  t.ok(timeOfId(ended.id) > 0)
  t.notMatch(JSON.stringify(data), /expression|one two/, 'never what was said')
  const page = (await ada.get(`${path}?limit=1`)).body
  t.match((await ada.get(`${path}?limit=1&cursor=${page.nextCursor}`)).body.data, [{ id: data[1].id }])
  t.match((await ada.get('/v1/activity/events?type=agents.')).body.data, [{ type: 'agents.created' }])
  t.match((await ada.get(`/v1/activity/events?type=tools.called&runId=${second.id}`)).body.data, [
    { type: 'tools.called', details: { toolName: 'calculator', isError: false } }
  ])
  t.match((await ada.get('/v1/activity/events?to=2020-01-01T00:00:00Z')).body.data, [])
  t.match((await eve.get('/v1/activity/events?type=runs.')).body.data, [])
  const all = (await as('crm', { type: 'service' }).get('/v1/activity/events?actor=ada')).body.data
  t.ok(all.length > 0, 'a service sees what its project does')
})

t.test('the activity live: resumed without a gap, narrowed, and only its own', async (t) => {
  const own = await follow(t, url, ada, '/v1/activity/stream')
  const others = await follow(t, url, eve, '/v1/activity/stream')
  const narrow = await follow(t, url, ada, '/v1/activity/stream?type=goals.')
  const { id } = await ada.agent({ ...local, name: 'Second' })
  const event = await own.until(({ subject }) => subject === id)
  t.match(event, { type: 'agents.created', owner: 'ada', agentId: id, feed: 'activity/ada', seq: Number })
  t.same(
    own.seen.map(({ seq }) => seq),
    own.seen.map((_, index) => index),
    'from 0 on, without a gap'
  )
  const again = await follow(t, url, ada, `/v1/activity/stream?after=${event.seq - 1}`)
  t.match(await again.until(() => true), event)
  const mine = await eve.agent({ ...local, name: 'Third' })
  await others.until(({ subject }) => subject === mine.id)
  t.same(
    others.seen.map(({ type }) => type),
    ['feed_opened', 'agents.created'],
    'nothing of others'
  )
  const goal = await ada.post('/v1/goals', { agentId: id, title: 'Tea' })
  await narrow.until(({ subject }) => subject === goal.body.data.id)
  t.equal(narrow.seen.filter(({ type }) => type !== 'keepalive').length, 1)
})

t.test('traces: spans of a run, its calls of models and of tools', async (t) => {
  const path = `/v1/logs/agents/${agent.id}/observability`
  const { data } = (await ada.get(`${path}?runId=${second.id}`)).body
  t.match(data, [
    { runId: second.id, status: 'completed', traceId: /^[0-9a-f]{32}$/, sessionId: first.sessionId }
  ])
  const [root, ...others] = data[0].spans
  t.match(root, {
    name: 'invoke_agent Clerk',
    parentSpanId: null,
    status: 'ok',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agent.id,
      'gen_ai.conversation.id': first.sessionId,
      'gen_ai.usage.output_tokens': second.usage.outputTokens
    }
  })
  t.same(
    others.map(({ name }: { name: string }) => name.split(' ')[0]),
    ['chat', 'execute_tool', 'chat']
  )
  for (const span of others) {
    t.equal(span.parentSpanId, root.spanId)
    t.ok(span.startedAt >= root.startedAt && span.endedAt <= root.endedAt && span.milliseconds >= 0)
  }
  t.match(others[1].attributes, {
    'gen_ai.tool.name': 'calculator',
    'agent_platform.arguments.size': 20,
    'gen_ai.tool.call.id': /^call_/
  })
  const tokens = (span: { attributes: Record<string, number> }) =>
    span.attributes['gen_ai.usage.output_tokens'] ?? 0
  t.equal(tokens(others[0]) + tokens(others[2]), second.usage.outputTokens)
  t.notMatch(JSON.stringify(data), /1\+1/, 'sizes alone')
  t.match((await ada.get(`${path}?spanKind=execute_tool&runId=${second.id}`)).body.data[0].spans, [
    { name: 'execute_tool calculator' }
  ])
  const page = (await ada.get(`${path}?limit=1`)).body
  t.equal(page.data.length, 1)
  t.match((await ada.get(`${path}?limit=1&cursor=${page.nextCursor}`)).body.data, [{ runId: second.id }])
  t.match((await ada.get(`${path}?minMilliseconds=1000000`)).body.data, [])
  t.match((await ada.get(`${path}?from=2100-01-01T00:00:00Z`)).body.data, [])
  t.match((await ada.get(`${path}?status=failed`)).body.data, [])

  const failed = await ada.agent({ ...local, name: 'Failing' })
  await ada.post('/v1/agents/run', { agentId: failed.id, messages: [{ role: 'user', content: '/fail' }] })
  const broken = (await ada.get(`/v1/logs/agents/${failed.id}/observability`)).body.data
  t.match(broken, [
    {
      status: 'failed',
      spans: [{ status: 'error', attributes: { 'error.type': String } }, { status: 'error' }]
    }
  ])

  await admin.put('/v1/packs/observability', { settings: { redaction: 'full' } })
  const full = (await ada.get(`${path}?runId=${second.id}`)).body.data
  t.match(JSON.stringify(full), /1\+1/, 'what was said, where the deployment says so')
})

t.test('what is old goes, and the sums of days stay', async (t) => {
  const { knex } = platform
  const { total } = await got(ada, `/v1/usage/agents/${agent.id}`)
  const { id } = await ada.agent({ ...local, name: 'Young' })
  await settled()
  await knex('observability.call').update({ at: knex.raw(`at - interval '91 days'`) })
  await knex('observability.event')
    .whereNot({ subject: id })
    .update({ at: knex.raw(`at - interval '91 days'`) })
  const settings = {
    callDays: 90,
    eventDays: 90,
    liveEvents: 1_000,
    redaction: 'full' as const,
    otlpUrl: '',
    otlpHeaders: ''
  }
  const given = { knex, replica: undefined as never, hot: undefined as never }
  const stores = {
    usageStore: createUsageStore(given),
    eventStore: createEventStore(given)
  }
  await createRemovals({ settings, ...stores }).work()
  t.same(
    (await ada.get('/v1/activity/events')).body.data.map(({ subject }: Any) => subject),
    [id]
  )
  t.same((await got(ada, `/v1/usage/agents/${agent.id}?interval=hour`)).items, [])
  const today = new Date().toISOString().slice(0, 10)
  const days = `from=${today}T00:00:00Z&to=${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`
  t.same((await got(ada, `/v1/usage/agents/${agent.id}?${days}`)).total, total)
  const known = await got(ada, `/v1/usage/agents/${agent.id}`)
  t.same(known.total, total, 'today until now is known by its sum')
  t.match(known.from, /T00:00:00\.000Z$/, 'and so is the first day')
  const before = new Date(Date.now() - 1).toISOString()
  t.same(
    (await got(ada, `/v1/usage/agents/${agent.id}?to=${before}`)).items,
    [],
    'a part of a day by its calls'
  )
})
