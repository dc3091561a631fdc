// budget: 9 s, because 1,500 debits go side by side
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { rounds } from '../../../test/rounds.ts'
import { balanceOf, faultsOf, grant, ledgerOf, make, sumOf, town } from './testbed.ts'

const { booted, as, root, anyone, platform } = await town(t)
const { knex } = platform
let count = 0
const person = async (amount?: string) => {
  const client = as(`ada-${++count}`)
  if (amount !== undefined) await grant(root, client, amount)
  else await balanceOf(client)
  return client
}

t.test('the ledger refuses what does not sum to zero, and any change of what it has', async (t) => {
  const ada = await person('3')
  const [entry] = await ledgerOf(ada)
  const row = await knex('credits.entry').where({ id: entry.id }).first()
  const another = { ...row, id: 'entry_x', amount: '1', quantity: null, price: null }
  await t.rejects(
    knex.transaction((trx) => trx('credits.entry').insert(another)),
    /sums to 1/
  )
  await t.rejects(
    knex('credits.entry').insert([another, { ...another, id: 'entry_y', amount: '-2' }]),
    /sums to -1/
  )
  const header = await knex('credits.transaction').where({ id: row.transactionId }).first()
  await t.rejects(
    knex.transaction((trx) =>
      trx('credits.transaction').insert({ ...header, id: 'transaction_x', key: 'x' })
    ),
    /transaction_x of the ledger sums to/,
    'one without entries, at its commit'
  )
  for (const table of ['credits.entry', 'credits.transaction']) {
    await t.rejects(knex(table).update({ kind: 'gift' }), /only ever added to/)
    await t.rejects(knex(table).where({ id: 'nope' }).delete(), /only ever added to/)
    await t.rejects(knex.raw(`truncate ${table}`), /only ever added to/)
  }
  await t.rejects(knex('credits.account').where({ owner: ada.id }).update({ balance: -1 }), /check/)
  await t.rejects(knex('credits.account').where({ owner: ada.id }).update({ reserved: '3000001' }), /check/)
  t.same(await faultsOf(booted), [])
})

t.test('grants and debits are an operator’s, and stand in the ledger with their reason', async (t) => {
  const ada = await person()
  const order = { owner: ada.id, amount: '12.5', reason: 'A prize' }
  for (const path of ['grants', 'debits']) {
    t.match(await anyone.post(`/v1/credits/${path}`, order), { status: 401 })
    t.match(await ada.post(`/v1/credits/${path}`, order), { status: 403 })
    for (const [param, value] of Object.entries({ amount: '0', reason: '', owner: 'a b', unheard: 1 }))
      t.match(await root.post(`/v1/credits/${path}`, { ...order, [param]: value }), {
        status: 400,
        body: { error: { param: `/${param}` } }
      })
    for (const amount of ['-1', '1.0000001', '99999999999', 1])
      t.match(await root.post(`/v1/credits/${path}`, { ...order, amount }), { status: 400 })
  }
  const granted = await make(root, '/v1/credits/grants', order)
  t.match(granted, { kind: 'grant', amount: '12.5', balance: '12.5', reason: 'A prize' })
  t.match(await make(root, '/v1/credits/debits', { ...order, amount: '0.000001', reason: 'A fee' }), {
    kind: 'debit',
    amount: '-0.000001',
    balance: '12.499999'
  })
  t.match(await root.post('/v1/credits/debits', order), {
    status: 409,
    body: { error: { type: 'conflict_error', code: 'credits_exhausted' } }
  })
  t.match(await ledgerOf(ada), [{ reason: 'A fee' }, { reason: 'A prize' }])
  t.match(await knex('kernel.fact').where({ subject: granted.transactionId }), [
    { name: 'credits.granted', owner: ada.id, data: { amount: '12.5', reason: 'A prize' } }
  ])
  const repeated = { ...order, amount: '1', reference: 'prize-1' }
  const [one, two] = [
    await make(root, '/v1/credits/grants', repeated),
    await make(root, '/v1/credits/grants', repeated)
  ]
  t.same(one, two)
  t.match(await root.post('/v1/credits/grants', { ...repeated, amount: '2' }), {
    status: 409,
    body: { error: { code: 'reference_taken' } }
  })
})

t.test('1,500 duplicate debits take once', async (t) => {
  const ada = await person('10')
  const total = rounds(1_500, 6_000)
  const order = {
    owner: ada.id,
    amount: '3',
    reason: 'Once',
    reference: `once-${createHash('md5').digest('hex')}`
  }
  let left = total
  const made = new Set<string>()
  const worker = async () => {
    while (left-- > 0) made.add((await make(root, '/v1/credits/debits', order)).id)
  }
  await Promise.all(Array.from({ length: 60 }, worker))
  t.equal(made.size, 1)
  t.match(await balanceOf(ada), { balance: '7' })
  t.same(await faultsOf(booted), [])
})

t.test('a ledger is listed in pages and narrowed, and is its owner’s', async (t) => {
  const ada = await person()
  const amounts = ['1', '2', '3', '4', '5']
  for (const amount of amounts) await grant(root, ada, amount)
  const first = (await ada.get('/v1/credits/ledger?limit=2')).body
  const second = (await ada.get(`/v1/credits/ledger?limit=3&cursor=${first.nextCursor}`)).body
  t.match(
    [...first.data, ...second.data],
    [...amounts].reverse().map((amount) => ({ amount }))
  )
  t.equal(second.nextCursor, null)
  t.same(await ledgerOf(ada, '&kind=debit'), [])
  t.same(
    await ledgerOf(ada, `&to=${first.data[0].createdAt}`),
    await ledgerOf(ada, `&to=${first.data[0].createdAt}&kind=grant`)
  )
  for (const query of ['limit=0', 'kind=lost', 'from=yesterday', 'unheard=1', 'cursor=nope'])
    t.match(await ada.get(`/v1/credits/ledger?${query}`), { status: 400 }, query)
  const eve = await person()
  for (const path of ['balance', 'ledger', 'summary']) {
    t.match(await anyone.get(`/v1/credits/${path}`), { status: 401 })
    t.match(await eve.get(`/v1/credits/${path}?owner=${ada.id}`), { status: 403 }, path)
    t.match(await root.get(`/v1/credits/${path}?owner=${ada.id}`), { status: 200 }, path)
    t.match(await root.get(`/v1/credits/${path}?owner=nobody`), { status: 404 }, path)
  }
  const { id: agentId } = await ada.agent()
  t.same(await ledgerOf(ada, `&agentId=${agentId}`), [])
  t.match(await root.get(`/v1/credits/ledger?owner=${ada.id}&agentId=${agentId}`), { status: 200 })
  for (const path of ['ledger', 'caps'])
    t.match(await eve.get(`/v1/credits/${path}?agentId=${agentId}`), { status: 403 }, path)
  const crm = as('crm', { type: 'service' })
  t.match((await crm.get('/v1/credits/balance?owner=newcomer')).body.data, { balance: '0', available: '0' })
  t.same((await crm.get('/v1/credits/ledger?owner=newcomer')).body.data, [])
  t.match((await crm.get('/v1/credits/summary?owner=newcomer')).body.data, { spent: '0', groups: [] })
  t.match(await root.post('/v1/credits/gifts', { to: 'newcomer', amount: '1' }), { status: 404 })
  const { data } = (await ada.get('/v1/credits/summary?by=agent')).body
  t.match(data, { spent: '0', groups: [], totals: [{ kind: 'grant', received: '15', spent: '0' }] })
  const far = 'from=2020-01-01T00:00:00Z'
  t.match(await ada.get(`/v1/credits/summary?${far}`), { status: 400, body: { error: { param: 'from' } } })
})

t.test('gifts: both sides see them, within limits, and never to oneself', async (t) => {
  const [ada, bob] = [await person('150'), await person()]
  const gift = { to: bob.id, amount: '2.5', message: 'Thanks' }
  const given = await make(ada, '/v1/credits/gifts', gift)
  t.match(given, { direction: 'sent', counterparty: bob.id, amount: '2.5', message: 'Thanks' })
  const transfers = async (client: typeof ada, query = '') =>
    (await client.get(`/v1/credits/transfers${query}`)).body.data
  t.same(await transfers(ada), [given])
  t.match(await transfers(bob), [{ direction: 'received', counterparty: ada.id, amount: '2.5' }])
  t.same(await transfers(bob, '?direction=sent'), [])
  const refused = (status: number, error: object) => ({ status, body: { error } })
  const give = (fields: object, client = ada) => client.post('/v1/credits/gifts', { ...gift, ...fields })
  t.match(await give({ to: ada.id }), refused(400, { param: '/to' }))
  t.match(await give({ to: 'nobody' }), refused(404, { param: '/to' }))
  t.match(await give({ amount: '0' }), refused(400, { param: '/amount' }))
  t.match(await give({ unheard: 1 }), refused(400, { param: '/unheard' }))
  t.match(await give({ amount: '98' }), refused(409, { code: 'gift_limit' }))
  t.match(await give({ to: ada.id, amount: '3' }, bob), refused(402, { code: 'credits_exhausted' }))
  t.match(await anyone.post('/v1/credits/gifts', gift), { status: 401 })
  const agent = as((await ada.agent()).id, { type: 'agent', owner: ada.id })
  t.match(await give({}, agent), { status: 403 }, 'an agent gives nothing away')
  const crm = as('crm-2', { type: 'service' })
  t.match(
    await crm.post('/v1/credits/gifts', { to: bob.id, amount: '1' }, { 'x-initiator': ada.id }),
    refused(403, {})
  )
  // All at once, from both sides: no deadlock, no more than the limit, nothing lost.
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 2 ? give({ amount: '5' }) : give({ to: ada.id, amount: '0.1' }, bob)
    )
  )
  t.equal(replies.filter(({ status }, n) => n % 2 && status === 201).length, 19)
  t.equal(sumOf([(await balanceOf(ada)).balance, (await balanceOf(bob)).balance]), '150')
  t.same(await faultsOf(booted), [])
})

t.test('campaigns: once a person, within budget and time, however many come at once', async (t) => {
  const ada = await person()
  const order = { name: 'Welcome', amount: '2', budget: '20' }
  t.match(await ada.post('/v1/credits/campaigns', order), { status: 403 })
  for (const [param, value] of Object.entries({
    amount: '0',
    budget: '1',
    name: ' ',
    endsAt: '2020-01-01T00:00:00Z'
  }))
    t.match(await root.post('/v1/credits/campaigns', { ...order, [param]: value }), {
      status: 400,
      body: { error: { param: `/${param}` } }
    })
  const campaign = await make(root, '/v1/credits/campaigns', order)
  const claim = (client: typeof ada, campaignId = campaign.id) =>
    client.post('/v1/credits/campaigns/claim', { campaignId })
  t.match((await ada.get('/v1/credits/campaigns')).body.data, [{ id: campaign.id, isClaimed: false }])
  const forAda = { 'x-initiator': ada.id }
  const crm = as('crm-3', { type: 'service' })
  t.match(await crm.post('/v1/credits/campaigns/claim', { campaignId: campaign.id }, forAda), { status: 403 })
  const mine = await Promise.all(Array.from({ length: 20 }, () => claim(ada)))
  t.equal(mine.filter(({ status }) => status === 201).length, 1)
  for (const { status, body } of mine)
    if (status !== 201) t.match(body, { error: { code: 'already_claimed' } })
  t.match(await balanceOf(ada), { balance: '2' })
  t.match((await ada.get('/v1/credits/campaigns')).body.data, [{ isClaimed: true, claimed: '2' }])
  const others = await Promise.all(Array.from({ length: 15 }, (_, n) => claim(as(`crowd-${n}`))))
  t.equal(others.filter(({ status }) => status === 201).length, 9)
  t.match(others.find(({ status }) => status !== 201)?.body, { error: { code: 'campaign_exhausted' } })
  t.match(await claim(ada, 'campaign_nope'), { status: 404, body: { error: { param: '/campaignId' } } })
  const zoe = as('zoe', { project: 'elsewhere' })
  t.match(await claim(zoe), { status: 403 })

  const path = `/v1/credits/campaigns/${campaign.id}`
  t.match(await root.put(path, { budget: '19' }), { status: 400, body: { error: { param: '/budget' } } })
  t.match(await root.put(path, { budget: '40' }, { 'if-match': '"7"' }), { status: 412 })
  t.match(await ada.put(path, { budget: '40' }), { status: 403 })
  const { startsAt } = campaign
  const endsAt = new Date(Date.parse(startsAt) + 1).toISOString()
  t.match(await root.put(path, { budget: '40', endsAt }), { status: 200, body: { data: { version: 2 } } })
  t.match(await claim(await person()), { status: 409, body: { error: { code: 'campaign_inactive' } } })
  t.same((await ada.get('/v1/credits/campaigns')).body.data, [])
  t.equal((await root.get('/v1/credits/campaigns?all=true')).body.data.length, 1)
  t.match(await ada.get('/v1/credits/campaigns?all=true'), { status: 403 })
  t.same(await faultsOf(booted), [])
})

t.test('prices have versions, and are an operator’s to set', async (t) => {
  const ada = await person()
  const price = { kind: 'model', target: 'openai/gpt', input: '2', output: '8' }
  t.match(await ada.post('/v1/credits/prices', price), { status: 403 })
  for (const [param, value] of Object.entries({
    target: 'gpt',
    input: '-1',
    call: '1',
    kind: 'gift',
    unheard: 1
  }))
    t.match(await root.post('/v1/credits/prices', { ...price, [param]: value }), {
      status: 400,
      body: { error: { param: `/${param}` } }
    })
  t.match(await make(root, '/v1/credits/prices', price), { cached: '2', call: '0', isCurrent: true })
  await make(root, '/v1/credits/prices', { ...price, cached: '0.5' })
  const list = async (query = '') => (await ada.get(`/v1/credits/prices?target=openai/gpt${query}`)).body.data
  t.match(await list(), [{ cached: '0.5' }])
  t.match(await list('&versions=true'), [
    { cached: '0.5', isCurrent: true },
    { cached: '2', isCurrent: false }
  ])
})

t.test('caps are their owner’s', async (t) => {
  const [ada, eve] = [await person(), await person()]
  const { id: agentId } = await ada.agent()
  const order = { agentId, period: 'day', limit: '2' }
  t.match(await anyone.post('/v1/credits/caps', order), { status: 401 })
  t.match(await eve.post('/v1/credits/caps', order), { status: 403, body: { error: { param: '/agentId' } } })
  for (const [param, value] of Object.entries({ limit: '-1', period: 'year', unheard: 1 }))
    t.match(await ada.post('/v1/credits/caps', { ...order, [param]: value }), { status: 400 })
  const cap = await make(ada, '/v1/credits/caps', order)
  const path = `/v1/credits/caps/${cap.id}`
  t.match((await ada.get('/v1/credits/caps')).body.data, [{ id: cap.id, sessionId: null, spent: '0' }])
  t.same((await eve.get('/v1/credits/caps')).body.data, [])
  for (const reply of [await eve.get(path), await eve.put(path, { limit: '9' }), await eve.delete(path)])
    t.match(reply, { status: 403 })
  t.match(await ada.put(path, { limit: '3' }, { 'if-match': '"4"' }), { status: 412 })
  t.match(await ada.put(path, { limit: '3' }), { status: 200, body: { data: { limit: '3', version: 2 } } })
  t.match(await as(agentId, { type: 'agent', owner: ada.id }).put(path, { limit: '9' }), { status: 403 })
  t.match(await ada.delete(path), { status: 200 })
  t.match(await ada.get(path), { status: 404 })
})

t.test('whatever is posted, sums stay zero and no balance is below it', async () => {
  const people = await Promise.all([person(), person(), person()])
  const one = fc.nat(2)
  const amount = fc.bigInt({ min: 1n, max: 4n }).map(String)
  const step = fc.oneof(
    fc.record({ what: fc.constant('grants' as const), one, other: one, amount }),
    fc.record({ what: fc.constant('debits' as const), one, other: one, amount }),
    fc.record({ what: fc.constant('gifts' as const), one, other: one, amount })
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const before = await Promise.all(
        people.map(async (client) => Number((await balanceOf(client)).balance))
      )
      const replies = await Promise.all(
        steps.map(({ what, one, other, amount }) =>
          what === 'gifts'
            ? people[one]?.post('/v1/credits/gifts', { to: people[other]?.id, amount })
            : root.post(`/v1/credits/${what}`, { owner: people[one]?.id, amount, reason: 'By chance' })
        )
      )
      const model = [...before]
      for (const [index, { what, one, other, amount }] of steps.entries()) {
        if (replies[index]?.status !== 201) continue
        model[one] = (model[one] ?? 0) + (what === 'grants' ? 1 : -1) * Number(amount)
        if (what === 'gifts') model[other] = (model[other] ?? 0) + Number(amount)
      }
      const after = await Promise.all(people.map(async (client) => Number((await balanceOf(client)).balance)))
      const faults = await faultsOf(booted)
      return faults.length === 0 && after.every((balance, n) => balance === model[n] && balance >= 0)
    }),
    { numRuns: rounds(12, 300) }
  )
})
