// budget: 9 s, because 200 runs go side by side
// tier: whole
import t from 'tap'
import { formatAmount } from '../amounts.ts'
import {
  balanceOf,
  faultsOf,
  grant,
  ledgerOf,
  local,
  make,
  openReservations,
  run,
  setPrice,
  sumOf,
  town
} from './testbed.ts'

const { booted, as, root, settled, platform } = await town(t)
interface Spent {
  readonly modelId: string
  readonly amount: string
  readonly quantity: { readonly outputTokens: number }
}

const TOKEN = '0.001'
// A thousand credits for a million tokens: a thousandth for one.
await setPrice(root, 'model', 'local/*', { output: '1000' })
let count = 0
/** Somebody new with that many credits. */
async function person(amount?: string) {
  const client = as(`person-${++count}`)
  if (amount !== undefined) await grant(root, client, amount)
  return client
}

t.test('a run is charged what it used, by the price that was in force when it began', async (t) => {
  const ada = await person('1')
  const agent = await ada.agent({ ...local, maxTokens: 50 })
  const reply = await run(ada, agent, '/say one two three')
  const { id: runId, sessionId, usage } = reply.body.data
  await settled()
  const cost = sumOf(Array.from({ length: usage.outputTokens }, () => TOKEN))
  const [entry, granted] = await ledgerOf(ada)
  t.match(entry, {
    kind: 'usage',
    amount: `-${cost}`,
    balance: sumOf(['1', `-${cost}`]),
    runId,
    sessionId,
    agentId: agent.id,
    modelProvider: 'local',
    toolName: null,
    quantity: { outputTokens: usage.outputTokens },
    price: { target: 'local/*', output: '1000' }
  })
  t.match(granted, { kind: 'grant', amount: '1', balance: '1', reason: 'To begin with' })
  t.match(await balanceOf(ada), {
    unlimited: false,
    reserved: '0',
    available: entry.balance,
    balance: entry.balance
  })
  t.same(await faultsOf(booted), [])
})

t.test('without enough for it no run begins, and none is left behind', async (t) => {
  const poor = await person()
  const agent = await poor.agent({ ...local, maxTokens: 50 })
  const before = await platform.knex('runs.run').count()
  const refused = { status: 402, body: { error: { type: 'payment_required', code: 'credits_exhausted' } } }
  for (let time = 0; time < 3; time++) t.match(await run(poor, agent, 'Hello'), refused)
  t.same(await platform.knex('runs.run').count(), before)
  t.same(await platform.knex('sessions.session').where({ owner: poor.id }), [])
  await grant(root, poor, '0.05')
  t.match(await run(poor, agent, 'Hello'), { status: 200 }, 'what is reserved is enough to a hair')
  t.match(await run(poor, agent, 'Hello'), refused, 'and then it is not')
})

t.test('200 runs at once: as many as there is money for, and never below zero', async (t) => {
  const ada = await person('0.5')
  const agent = await ada.agent({ ...local, maxTokens: 10 })
  const replies = await Promise.all(Array.from({ length: 200 }, () => run(ada, agent, '/repeat 100 word')))
  const done = replies.filter(({ status }) => status === 200)
  for (const { status, body } of replies)
    if (status !== 200)
      t.match({ status, body }, { status: 402, body: { error: { code: 'credits_exhausted' } } })
  await settled()
  t.ok(done.length >= 50, `${done.length} runs were made`)
  const spent = (await ledgerOf(ada)).filter(({ kind }: { kind: string }) => kind === 'usage')
  t.equal(spent.length, done.length)
  const { balance, reserved } = await balanceOf(ada)
  t.equal(sumOf(['0.5', ...spent.map(({ amount }: { amount: string }) => amount)]), balance)
  t.equal(reserved, '0')
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
  const absorbed = await platform.knex('credits.account').where({ kind: 'absorbed' }).first()
  t.equal(absorbed?.balance, '0', 'the platform paid for nothing')
})

t.test('a run that gets too dear in the middle ends with payment_required', async (t) => {
  const ada = await person('0.025')
  const agent = await ada.agent({ ...local, maxTokens: 20 })
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
  const reply = await run(ada, agent, '/repeat 10 word\n/call calculator {"expression":"1+1"}')
  t.match(reply, { status: 402, body: { error: { type: 'payment_required' } } })
  const runId = reply.headers.get('x-run-id')
  const { data } = (await ada.get(`/v1/agents/runs/${runId}`)).body
  t.match(data, { status: 'failed', error: { code: 'payment_required' } })
  await settled()
  const [entry] = await ledgerOf(ada)
  t.equal(entry.amount, `-${sumOf(Array.from({ length: data.usage.outputTokens }, () => TOKEN))}`)
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
})

t.test('a run that waits holds what it may cost, and gives it back when it is cancelled', async (t) => {
  const ada = await person('1')
  const agent = await ada.agent({ ...local, maxTokens: 50 })
  const { id } = (await run(ada, agent, '/call dig {}', { cliTools: [{ name: 'dig' }] })).body.data
  t.match(await balanceOf(ada), { balance: '1', reserved: '0.05', available: '0.95' })
  await ada.post(`/v1/agents/runs/${id}/cancel`)
  await settled()
  const { balance, reserved } = await balanceOf(ada)
  t.equal(reserved, '0')
  const { usage } = (await ada.get(`/v1/agents/runs/${id}`)).body.data
  t.ok(usage.outputTokens > 0)
  const cost = sumOf(Array.from({ length: usage.outputTokens }, () => TOKEN))
  t.match(
    await ledgerOf(ada, '&kind=usage'),
    [{ amount: `-${cost}`, balance, runId: id, modelProvider: 'local' }],
    'what its first reply took is charged'
  )
})

t.test('a run whose model changes in the middle is charged by each of them', async (t) => {
  await setPrice(root, 'model', 'local/dear', { output: '3000' })
  const ada = await person('1')
  const agent = await ada.agent({ ...local, maxTokens: 50 })
  const { id, pending } = (await run(ada, agent, '/call dig {}', { cliTools: [{ name: 'dig' }] })).body.data
  t.match(await ada.put(`/v1/agents/${agent.id}`, { modelId: 'dear' }), { status: 200 })
  const answer = { runId: id, callId: pending[0].callId, output: 'a bone' }
  t.match(await ada.post('/v1/agents/cli-tool-result', answer), { status: 200 })
  const { usage } = (await ada.get(`/v1/agents/runs/${id}?wait=true`)).body.data
  await settled()
  const entries: Spent[] = await ledgerOf(ada, `&runId=${id}`)
  t.strictSame(entries.map(({ modelId }) => modelId).sort(), ['dear', 'development'])
  t.equal(
    entries.reduce((sum, { quantity }) => sum + quantity.outputTokens, 0),
    usage.outputTokens
  )
  for (const { modelId, quantity, amount } of entries) {
    const price = modelId === 'dear' ? 3_000n : 1_000n
    t.equal(amount, `-${formatAmount(price * BigInt(quantity.outputTokens))}`)
  }
  t.same(await faultsOf(booted), [])
})

t.test('a run that waited has what it may cost by the model that it begins with', async (t) => {
  await setPrice(root, 'model', 'local/dearest', { output: '100000' })
  const ada = await person('1')
  const agent = await ada.agent({ ...local, maxTokens: 50 })
  const cliTools = [{ name: 'dig' }]
  const { id, sessionId } = (await run(ada, agent, '/call dig {}', { cliTools })).body.data
  const second = await run(ada, agent, 'Hello', { sessionId })
  t.equal((await balanceOf(ada)).reserved, '0.1')
  t.match(await ada.put(`/v1/agents/${agent.id}`, { modelId: 'dearest' }), { status: 200 })
  await ada.post(`/v1/agents/runs/${id}/cancel`)
  const { data } = (await ada.get(`/v1/agents/runs/${second.body.data.id}?wait=true`)).body
  t.match(data, { status: 'failed', error: { code: 'payment_required' } })
  await settled()
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
})

t.test('what was said before counts', async (t) => {
  await setPrice(root, 'model', 'local/wordy', { input: '1000' })
  const ada = await person('20')
  const agent = await ada.agent({ ...local, modelId: 'wordy', maxTokens: 5 })
  const { sessionId } = (await run(ada, agent, 'word '.repeat(2_000))).body.data
  await settled()
  const { balance } = await balanceOf(ada)
  const reason = 'So that little is left'
  await make(root, '/v1/credits/debits', { owner: ada.id, amount: sumOf([balance, '-1']), reason })
  t.match(await run(ada, agent, 'Hello', { sessionId }), { status: 402 })
  await settled()
  t.match(await run(ada, agent, 'Hello'), { status: 200 }, 'in a session of its own it has enough')
  await settled()
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
})

t.test('a cap that is made while a run waits stops it, or counts all of it', async (t) => {
  const ada = await person('1')
  const agent = await ada.agent({ ...local, maxTokens: 50 })
  const begin = async () => (await run(ada, agent, '/call dig {}', { cliTools: [{ name: 'dig' }] })).body.data
  const goOn = async ({ id, pending }: { id: string; pending: { callId: string }[] }) => {
    const answer = { runId: id, callId: pending[0]?.callId, output: 'a bone' }
    t.match(await ada.post('/v1/agents/cli-tool-result', answer), { status: 200 })
    return (await ada.get(`/v1/agents/runs/${id}?wait=true`)).body.data
  }
  const [one, two] = [await begin(), await begin()]
  const cap = await make(ada, '/v1/credits/caps', { agentId: agent.id, period: 'total', limit: '0.04' })
  const path = `/v1/credits/caps/${cap.id}`
  t.match(await goOn(one), { status: 'failed', error: { code: 'payment_required' } })
  await settled()
  t.match(await ada.put(path, { limit: '0.9' }), { status: 200 })
  t.match(await goOn(two), { status: 'completed' })
  await settled()
  const { spent, reserved } = (await ada.get(path)).body.data
  const { balance } = await balanceOf(ada)
  t.equal(sumOf([spent, balance]), '1')
  t.equal(reserved, '0')
  t.same(await faultsOf(booted), [])
})

t.test('what is told of twice is charged once, and what cannot be charged holds nothing up', async (t) => {
  const [ada, bob] = [await person('1'), await person('1')]
  const waiting = async (client: typeof ada) => {
    const agent = await client.agent({ ...local, maxTokens: 50 })
    return (await run(client, agent, '/call dig {}', { cliTools: [{ name: 'dig' }] })).body.data
  }
  const [twice, broken] = [await waiting(ada), await waiting(bob)]
  await setPrice(root, 'tool', 'shovel', { call: '0.01' })
  const { knex, facts } = platform
  const by = {
    id: 'ada',
    owner: 'ada',
    project: 'default',
    type: 'user',
    scopes: new Set(),
    narrowed: false
  } as never
  const tell = (name: 'tools.called' | 'runs.cancelled', subject: string, data: object) =>
    knex.transaction((trx) => facts.record(trx, name, by, { subject, owner: 'ada', data }))
  const call = (callId: string) => ({ callId, runId: twice.id, agentId: twice.agentId, toolName: 'shovel' })
  // By the price of now.
  await knex('credits.reservation').where({ id: twice.id }).update({ createdAt: knex.fn.now() })
  await tell('runs.cancelled', 'broken', { runId: broken.id, steps: null })
  for (let time = 0; time < 2; time++) await tell('tools.called', 'call_twice', call('call_twice'))
  await settled()
  const charged = async (client: typeof ada) =>
    (await ledgerOf(client, '&kind=usage')).map(({ amount }: { amount: string }) => amount)
  t.same(await charged(ada), ['-0.01'])
  await tell('tools.called', 'call_twice', call('call_twice'))
  await settled()
  t.same(await charged(ada), ['-0.01'], 'nor is it once more later')
  t.match(await knex('kernel.fact_held').where({ pack: 'credits' }), [{ subject: 'broken' }])
  await knex('kernel.fact_held').where({ pack: 'credits' }).delete()

  const noted = (key: string, due: object) =>
    knex('credits.due').insert({ project: 'default', reservationId: twice.id, key, due: JSON.stringify(due) })
  await noted('call:call_noted', { call: call('call_noted') })
  await noted('run:broken', { run: { runId: twice.id, spent: null } })
  const job = platform.points.all('jobs.worker').find(({ key }) => key === 'credits.settle')
  await job?.value.work({}, new AbortController().signal)
  t.same(await charged(ada), ['-0.01', '-0.01'], 'what the version before noted is charged')
  t.equal(await knex('credits.due').delete(), 1)
  for (const [client, { id }] of [
    [ada, twice],
    [bob, broken]
  ] as const)
    await client.post(`/v1/agents/runs/${id}/cancel`)
  await settled()
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
  await setPrice(root, 'tool', 'shovel', {})
})

t.test('tools have prices, in runs and outside of them', async (t) => {
  const ada = await person('1')
  const agent = await ada.agent({ ...local, maxTokens: 20 })
  for (const toolId of ['calculator', 'current_time'])
    await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
  await setPrice(root, 'tool', 'calculator', { call: '0.25' })
  const { id: runId } = (
    await run(ada, agent, '/call calculator {"expression":"1+1"}\n/call current_time {}')
  ).body.data
  await settled()
  const calls = await ledgerOf(ada, '&toolName=calculator')
  t.match(calls, [
    { amount: '-0.25', runId, toolName: 'calculator', quantity: { calls: 1 }, price: { call: '0.25' } }
  ])
  t.equal(calls.length, 1)
  t.equal((await ledgerOf(ada, `&runId=${runId}`)).length, 2, 'the run itself, and the priced call')

  const poor = await person('0.24')
  const other = await poor.agent({ ...local, maxTokens: 40 })
  await poor.post(`/v1/agents/${other.id}/tools`, { toolId: 'calculator' })
  const { content } = (await run(poor, other, '/call calculator {"expression":"1+1"}')).body.data
  t.match(content, /costs 0.25 credits/, 'the model is told')
  await settled()
  t.same(await ledgerOf(poor, '&toolName=calculator'), [])
  t.same(await openReservations(booted), [])
  t.same(await faultsOf(booted), [])
  await setPrice(root, 'tool', 'calculator', {})
})

t.test(
  'caps: a run that would go beyond one is refused, and facts tell of 80 and 100 per cent',
  async (t) => {
    const ada = await person('10')
    const [agent, other] = [
      await ada.agent({ ...local, maxTokens: 10 }),
      await ada.agent({ ...local, maxTokens: 10 })
    ]
    const cap = await make(ada, '/v1/credits/caps', { agentId: agent.id, period: 'day', limit: '0.025' })
    const say = () => run(ada, agent, '/repeat 100 word')
    const told = async () =>
      (
        await platform.knex('kernel.fact').where({ subject: cap.id }).orderBy('transaction').pluck('name')
      ).slice(1)
    t.match(await say(), { status: 200 })
    await settled()
    t.match((await ada.get(`/v1/credits/caps/${cap.id}`)).body.data, {
      limit: '0.025',
      spent: '0.01',
      reserved: '0'
    })
    t.same(await told(), [])
    t.match(await say(), { status: 200 })
    await settled()
    t.same(await told(), ['credits.cap_approached'])
    const refused = { status: 402, body: { error: { type: 'payment_required', code: 'cap_reached' } } }
    t.match(await say(), refused)
    t.match(await say(), refused)
    t.same(await told(), ['credits.cap_approached', 'credits.cap_reached'], 'once')
    t.match(await run(ada, other, 'Hello'), { status: 200 }, 'another agent has no cap')

    const raised = await ada.put(`/v1/credits/caps/${cap.id}`, { limit: '0.035' })
    t.match(raised, { status: 200, body: { data: { limit: '0.035' } } })
    t.match(await say(), { status: 200 })
    await settled()
    t.same(
      (await told()).slice(2),
      ['credits.cap_updated', 'credits.cap_approached'],
      'told again of a raised cap'
    )

    await platform.knex('credits.cap').where({ id: cap.id }).update({ window: '2000-01-01' })
    t.match((await ada.get(`/v1/credits/caps/${cap.id}`)).body.data, { spent: '0' }, 'another day')
    t.match(await say(), { status: 200 })

    await settled()
    const many = await make(ada, '/v1/credits/caps', { period: 'month', limit: '0.2' })
    const replies = await Promise.all(Array.from({ length: 40 }, () => run(ada, other, '/repeat 100 word')))
    t.ok(replies.some(({ status }) => status === 402))
    await settled()
    const { spent, reserved } = (await ada.get(`/v1/credits/caps/${many.id}`)).body.data
    t.ok(Number(spent) <= 0.2, `${spent} of 0.2 were spent`)
    t.equal(reserved, '0')
  }
)

t.test('where credits are off nothing is counted, and what has no price is free', async (t) => {
  const zoe = as('zoe', { project: 'elsewhere' })
  const agent = await zoe.agent(local)
  t.match(await run(zoe, agent, 'Hello'), { status: 200 })
  await settled()
  t.match(await balanceOf(zoe), { unlimited: true, balance: '0' })
  t.same(await ledgerOf(zoe), [])
  t.same(await platform.knex('credits.reservation').where({ owner: 'zoe' }), [])
})
