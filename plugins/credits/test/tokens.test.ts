// budget: 5 s, because many runs go side by side
import { narrow } from 'agent-platform-client'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'
import { formatAmount, parseAmount } from '../amounts.ts'
import { balanceOf, faultsOf, grant, local, make, openReservations, run, setPrice, town } from './testbed.ts'

const { booted, as, root, settled, platform, url } = await town(t, {}, 'tasks', 'openai')
await setPrice(root, 'model', 'local/*', { output: '1000' })
await setPrice(root, 'tool', 'calculator', { call: '0.02' })

let count = 0
async function person(amount: string) {
  const client = as(`spender-${++count}`)
  await grant(root, client, amount)
  const agent = await client.agent({ ...local, maxTokens: 10 })
  const { status } = await client.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
  t.equal(status, 201)
  return { client, agent, key: await client.key() }
}
const holding = (token: string) => createClient(url, 'holder', token)
const refused = { status: 402, body: { error: { type: 'payment_required', code: 'cap_reached' } } }
const capsOf = async (client: ReturnType<typeof holding>) => {
  const { body } = await client.get('/v1/credits/caps')
  return body.data as { id: string; token: string | null; limit: string; spent: string; reserved: string }[]
}
const micro = (text = '') => parseAmount(text) ?? -1n

t.test('runs of a token spend what it says in total, however many there are at once', async (t) => {
  const { client, agent, key } = await person('10')
  const token = await narrow(key, { spend: '0.035' })
  const holders = Array.from({ length: 30 }, (_, at) => (at % 2 ? narrow(token, {}) : token))
  const replies = await Promise.all(
    holders.map(async (one) => run(holding(await one), agent, '/say one two'))
  )
  const begun = replies.filter(({ status }) => status === 200)
  const used = begun.reduce(
    (sum, { body }) => sum + BigInt(body.data.usage.outputTokens) * micro('0.001'),
    0n
  )
  t.ok(
    begun.length >= 1 && begun.length < holders.length,
    `${begun.length} had room for what they may cost at worst`
  )
  t.ok(used <= micro('0.035'), formatAmount(used))
  for (const reply of replies.filter(({ status }) => status !== 200)) t.match(reply, refused)
  await settled()
  let more = 0
  while ((await run(holding(token), agent, '/say one two')).status === 200) {
    more++
    await settled()
  }
  t.ok(more >= 1, 'what was not used is there again')
  t.match(
    await run(holding(await narrow(token, {})), agent, '/say one two'),
    refused,
    'also by what was made of it'
  )
  const [cap] = await capsOf(client)
  t.match(cap, { token: String, limit: '0.035', reserved: '0' })
  t.ok(micro(cap?.spent) > 0n && micro(cap?.spent) <= micro(cap?.limit))
  const { balance } = await balanceOf(client)
  t.equal(micro('10') - micro(balance), micro(cap?.spent), 'and no more was taken for them')
  t.match(await run(client, agent, '/say one two'), { status: 200 }, 'the key itself is not limited')
  t.match(
    await run(holding(await narrow(key, { spend: '0.035' })), agent, '/say one'),
    { status: 200 },
    'nor another'
  )
  await settled()
  t.same(await faultsOf(booted), [])
  t.same(await openReservations(booted), [])
})

t.test('a further block counts beside the one before', async (t) => {
  const { client, agent, key } = await person('10')
  const token = await narrow(key, { spend: '1' })
  const less = holding(await narrow(token, { spend: '0.0105' }))
  t.match(await run(less, agent, '/say one'), { status: 200 })
  await settled()
  t.match(await run(less, agent, '/say one'), refused)
  t.match(await run(holding(await narrow(token, { spend: '900' })), agent, '/say one'), { status: 200 })
  await settled()
  const caps = (await capsOf(client)).map(({ limit, spent }) => [limit, micro(spent) > 0n] as const)
  t.same(
    new Map(caps),
    new Map([
      ['1', true],
      ['0.0105', true],
      ['900', true]
    ])
  )
  const whole = (await capsOf(client)).find(({ limit }) => limit === '1')
  const parts = (await capsOf(client)).filter(({ limit }) => limit !== '1')
  t.equal(whole?.spent, formatAmount(parts.reduce((sum, { spent }) => sum + micro(spent), 0n)), 'all of it')
  t.match(
    await run(holding(await narrow(key, { spend: '0' })), agent, 'Hello'),
    refused,
    'nothing is nothing'
  )
})

t.test('calls of tools count', async (t) => {
  const { agent, key, client } = await person('10')
  const token = await narrow(key, { spend: '0.03' })
  const said = await run(holding(token), agent, '/call calculator {"expression":"6*7"}')
  t.match(
    [said.status, JSON.stringify(said.body)],
    [402, /payment_required/],
    'two replies and a call are too much'
  )
  await settled()
  const enough = holding(await narrow(key, { spend: '0.2' }))
  t.match(await run(enough, agent, '/call calculator {"expression":"6*7"}'), { status: 200 })
  await settled()
  const cap = (await capsOf(client)).find(({ limit }) => limit === '0.2')
  t.ok(micro(cap?.spent) >= micro('0.02'), `${cap?.spent}`)
  t.equal(cap?.reserved, '0')
})

t.test('what a token spent is nobody’s to forget', async (t) => {
  const { client, agent, key } = await person('1')
  await run(holding(await narrow(key, { spend: '0.5' })), agent, '/say one')
  const [cap] = await capsOf(client)
  const at = `/v1/credits/caps/${cap?.id}`
  const conflict = { status: 409, body: { error: { code: 'cap_of_token' } } }
  t.match(await client.delete(at), conflict)
  t.match(await client.put(at, { limit: '5' }), conflict)
  t.match(await as('eve').get(at), { status: 403 })
  t.match(await holding(await narrow(key, {})).get('/v1/credits/caps'), { status: 403 })
})

t.test('a service spends by its token for whomever it acts', async (t) => {
  const crm = as('shop', { type: 'service' })
  const holder = holding(await narrow(await crm.key(), { spend: '0.0125' }))
  for (const owner of ['ann', 'ben']) await grant(root, as(owner), '1')
  const runFor = async (owner: string) => {
    const acting = { 'x-initiator': owner }
    const made = await crm.post('/v1/agents', { name: 'Till', ...local, maxTokens: 10 }, acting)
    const body = { agentId: made.body.data.id, messages: [{ role: 'user', content: '/say one two' }] }
    const reply = await holder.post('/v1/agents/run', body, acting)
    await settled()
    return reply
  }
  t.match(await runFor('ann'), { status: 200 })
  t.match(await runFor('ben'), { status: 200 })
  t.match(await runFor('ann'), refused, 'what one has spent is not there for the other')
  t.match(await runFor('ben'), refused)
  t.match(await capsOf(crm), [{ owner: 'shop', limit: '0.0125', reserved: '0' }])
})

t.test('nothing begins where nothing counts', async (t) => {
  const owner = as('free', { project: 'elsewhere' })
  const agent = await owner.agent(local)
  const holder = holding(await narrow(await owner.key(), { spend: '5' }))
  t.match(await run(holder, agent, 'Hello'), {
    status: 400,
    body: { error: { code: 'spend_not_counted', param: 'authorization' } }
  })
  t.same(await platform.knex('runs.run').where({ agentId: agent.id }), [])
})

t.test('whatever a token begins spends of the same, by whichever route', async (t) => {
  const { client, agent, key } = await person('10')
  const token = holding(await narrow(key, { spend: '0.035' }))
  const messages = [{ role: 'user', content: '/say one two' }]
  const tasks = await Promise.all(
    Array.from({ length: 8 }, () => make(token, '/v1/tasks', { title: '/say one two', agentId: agent.id }))
  )
  const replies = await Promise.all(
    tasks.flatMap(({ id }) => [
      run(token, agent, '/say one two'),
      token.post('/openai/v1/chat/completions', { model: agent.id, messages }),
      token.post(`/v1/tasks/${id}/execute`)
    ])
  )
  t.ok(replies.some(({ status }) => status === 402))
  for (const { id } of tasks)
    await until(
      async () => (await client.get(`/v1/tasks/${id}/runs`)).body.data,
      (runs) => runs.length > 0 && runs.every(({ endedAt }: { endedAt: string | null }) => endedAt !== null)
    )
  await settled()
  const runs = await platform.knex('runs.run').where({ agentId: agent.id }).select('status')
  t.ok(runs.length >= 1 && runs.length < 24, `${runs.length} runs began`)
  const [cap] = await capsOf(client)
  t.match(cap, { limit: '0.035', reserved: '0' })
  t.ok(micro(cap?.spent) > 0n && micro(cap?.spent) <= micro('0.035'), `${cap?.spent}`)
  const { balance } = await balanceOf(client)
  t.equal(micro('10') - micro(balance), micro(cap?.spent), 'and nothing was taken beside it')
})
