import t from 'tap'
import {
  balanceOf,
  buy,
  entitledTo,
  invoicesOf,
  make,
  plan,
  shop,
  subscribe,
  subscriptionOf
} from './testbed.ts'

const { anyone, root, as, person, later, factsOf, platform, booted } = await shop(t, {}, 'packs')
const refused = (status: number, error: object) => ({ status, body: { error } })
const pay = (id: string) => root.post(`/v1/billing/invoices/${id}/pay`)

t.test('the catalogue is public, and its versions are named by their terms', async (t) => {
  const { status, body } = await anyone.get('/v1/billing/catalog')
  t.equal(status, 200)
  t.match(body.data, {
    defaultPlanKey: 'free',
    plans: [
      { key: 'free', id: /^free@[0-9a-f]{8}$/ },
      { key: 'pro', price: 2_000, credits: '100', trialDays: 0, description: null },
      { key: 'team' },
      { key: 'trial', trialDays: 14 }
    ],
    packs: [{ key: 'small', id: /^small@/, credits: '50', price: 500 }]
  })
  t.match(await anyone.get('/v1/billing/catalog?unheard=1'), { status: 400 })
})

t.test('settings that are wrong keep what was there', async (t) => {
  const set = (settings: object) => root.put('/v1/packs/billing', { settings })
  for (const [env, value] of Object.entries({
    plans: '{',
    packs: JSON.stringify([{ key: 'small' }]),
    'plans ': JSON.stringify([plan('free', 0, { credits: '10' })]),
    defaultPlan: 'nowhere'
  }))
    t.match(await set({ [env.trim()]: value }), { status: 409 }, env)
  t.match(await anyone.get('/v1/billing/catalog'), { status: 200 })
})

t.test('a plan is bought: an invoice, its payment by an operator, and what follows, once', async (t) => {
  const ada = person()
  t.equal(await subscriptionOf(ada), null)
  t.match(await entitledTo(ada), { planKey: 'free', status: null, agents: 3, voice: 0 })
  const checkout = await subscribe(ada, 'pro')
  t.match(checkout, {
    status: 'open',
    amount: 2_000,
    currency: 'eur',
    url: /\/console\/billing\?invoice=invoice_/
  })
  const [invoice] = await invoicesOf(ada)
  t.match(invoice, { id: checkout.invoiceId, status: 'open', amount: 2_000, credits: '100', paidAt: null })
  t.equal(await subscriptionOf(ada), null, 'nothing before it is paid')

  const paid = await Promise.all(Array.from({ length: 12 }, () => pay(invoice.id)))
  t.equal(paid.filter(({ status }) => status === 200).length, 1)
  for (const it of paid) if (it.status !== 200) t.match(it, refused(409, { code: 'invoice_settled' }))
  t.match(await subscriptionOf(ada), { status: 'active', plan: { key: 'pro' }, cancelAtPeriodEnd: false })
  t.equal(await balanceOf(ada), '100')
  t.match(await entitledTo(ada), { planKey: 'pro', status: 'active', agents: 10, voice: null })
  t.match(await ada.get(`/v1/billing/checkouts/${checkout.id}`), { body: { data: { status: 'completed' } } })
  for (const name of ['invoice_opened', 'invoice_paid', 'checkout_completed', 'subscription_changed'])
    t.equal((await factsOf(ada, `billing.${name}`)).length, 1, name)
  t.match(
    await ada.post('/v1/billing/checkout/subscription', { planKey: 'pro' }),
    refused(409, { code: 'already_subscribed' })
  )
})

t.test('a period ends: invoice, overdue, grace, over; or paid in time', async (t) => {
  const [ada, bob] = [person(), person()]
  for (const it of [ada, bob]) await pay((await subscribe(it, 'pro')).invoiceId)
  for (const it of [ada, bob]) await later(it, 32)
  const [renewal] = await invoicesOf(ada, '&status=open')
  t.match(renewal, { reason: 'subscription_cycle', amount: 2_000 })
  t.match(await subscriptionOf(ada), { status: 'active' })
  t.equal(await balanceOf(ada), '100', 'credits come with the payment')
  for (const it of [ada, bob]) await later(it, 15)
  t.match(await subscriptionOf(ada), { status: 'past_due', graceEndsAt: /T/ })
  t.match(await entitledTo(ada), { planKey: 'pro', status: 'past_due', agents: 10 }, 'in its grace period')
  t.match(
    await ada.post('/v1/billing/checkout/subscription', { planKey: 'team' }),
    refused(409, { code: 'invoice_open' })
  )
  t.match(await pay(renewal.id), { status: 200 })
  t.match(await subscriptionOf(ada), { status: 'active', graceEndsAt: null })
  t.equal(await balanceOf(ada), '200')
  await later(bob, 8)
  t.match(await subscriptionOf(bob), { status: 'canceled' })
  t.match(await entitledTo(bob), { planKey: 'free', agents: 3 })
  t.match(await invoicesOf(bob), [{ status: 'void' }, { status: 'paid' }])
  t.equal(await balanceOf(bob), '100')
})

t.test('grace ends by the clock, also where nothing says so', async (t) => {
  const ada = person()
  await pay((await subscribe(ada, 'pro')).invoiceId)
  await later(ada, 32)
  await later(ada, 15)
  t.match(await entitledTo(ada), { planKey: 'pro' })
  await platform
    .knex('billing.subscription')
    .where({ owner: ada.id })
    .update({ pastDueSince: new Date(Date.now() - 8 * 86_400_000) })
  booted.platform.server.current()
  await later(ada, 0)
  t.match(await entitledTo(ada), { planKey: 'free' })
})

t.test('plans change: dearer ones cost the rest, cheaper ones wait for the period', async (t) => {
  const ada = person()
  await pay((await subscribe(ada, 'pro')).invoiceId)
  await later(ada, 15)
  const up = await subscribe(ada, 'team')
  const [invoice] = await invoicesOf(ada, '&status=open')
  t.ok(invoice.amount > 4_000 && invoice.amount < 6_000, `${invoice.amount} is less than the whole`)
  t.match(up, { status: 'open', invoiceId: invoice.id })
  t.match(await subscriptionOf(ada), { plan: { key: 'pro' } })
  await pay(invoice.id)
  t.match(await subscriptionOf(ada), { plan: { key: 'team' }, status: 'active' })
  const balance = Number(await balanceOf(ada))
  t.ok(Math.abs(balance - 100 - (500 * invoice.amount) / 6_000) < 0.000002, 'credits follow the money')
  const down = await subscribe(ada, 'pro')
  t.match(down, { status: 'completed', url: null })
  t.match(await subscriptionOf(ada), { plan: { key: 'team' }, nextPlan: /^pro@/ })
  t.match(await subscribe(ada, 'team'), { status: 'completed' })
  t.match(await subscriptionOf(ada), { plan: { key: 'team' }, nextPlan: null }, 'and back')
  await subscribe(ada, 'pro')
  await later(ada, 32)
  t.match(await subscriptionOf(ada), { plan: { key: 'pro' }, nextPlan: null })
  t.match(await invoicesOf(ada, '&status=open'), [{ amount: 2_000, reason: 'subscription_cycle' }])
})

t.test('a trial is free, without its credits, and once', async (t) => {
  const ada = person()
  t.match(await subscribe(ada, 'trial'), { status: 'completed', amount: 0, url: null })
  t.match(await subscriptionOf(ada), { status: 'trialing' })
  t.equal(await balanceOf(ada), '0')
  t.match(await subscribe(ada, 'team'), { status: 'open', amount: 6_000 }, 'a plan without a trial is bought')
  t.match(await subscriptionOf(ada), { status: 'trialing', plan: { key: 'trial' } })
  await later(ada, 15)
  t.match(await subscriptionOf(ada), { status: 'active' })
  const [invoice] = await invoicesOf(ada)
  t.match(invoice, { status: 'open', amount: 1_000 })
  t.match(await invoicesOf(ada, '&status=void'), [{ amount: 6_000 }], 'not paid in time')
  t.match(await ada.post('/v1/billing/subscription/cancel', { atPeriodEnd: false }), {
    body: { data: { status: 'canceled' } }
  })
  t.same(await invoicesOf(ada, '&status=open'), [])
  t.match(await subscribe(ada, 'trial'), { status: 'open', amount: 1_000 }, 'the second one costs')
})

t.test('a cancellation holds at the end of the period, and is taken back before', async (t) => {
  const ada = person()
  const [cancel, resume] = ['cancel', 'resume'].map((it) => `/v1/billing/subscription/${it}`) as [
    string,
    string
  ]
  t.match(await ada.post(cancel, {}), { status: 404 })
  await pay((await subscribe(ada, 'pro')).invoiceId)
  t.match(await ada.post(resume), refused(409, { code: 'not_canceled' }))
  t.match(await ada.post(cancel, {}), { body: { data: { status: 'active', cancelAtPeriodEnd: true } } })
  t.match(await ada.post(resume), { body: { data: { cancelAtPeriodEnd: false } } })
  await ada.post(cancel, {})
  t.match(await entitledTo(ada), { planKey: 'pro' })
  await later(ada, 32)
  t.match(await subscriptionOf(ada), { status: 'canceled' })
  t.match(await entitledTo(ada), { planKey: 'free' })
  t.equal((await invoicesOf(ada)).length, 1)
  t.match(await ada.post(cancel, { unheard: 1 }), refused(400, { param: '/unheard' }))
})

t.test('a pack adds credits once, and a refund takes back what is there', async (t) => {
  const ada = person()
  const { invoiceId } = await buy(ada)
  await Promise.all([pay(invoiceId), pay(invoiceId)])
  t.equal(await balanceOf(ada), '50')
  const refund = (amount?: number) =>
    root.post(`/v1/billing/invoices/${invoiceId}/refund`, amount === undefined ? {} : { amount })
  t.match(await refund(501), refused(400, { param: '/amount' }))
  t.match(await refund(100), { body: { data: { amountRefunded: 100, creditsTaken: '10' } } })
  t.equal(await balanceOf(ada), '40')
  await make(root, '/v1/credits/debits', { owner: ada.id, amount: '25', reason: 'Spent' })
  t.match(await refund(), { body: { data: { amountRefunded: 500, creditsTaken: '25' } } }, 'down to zero')
  t.equal(await balanceOf(ada), '0')
  t.match(await refund(), refused(409, { code: 'nothing_paid' }))
  t.equal((await factsOf(ada, 'billing.invoice_refunded')).length, 2)
})

t.test('what is someone else’s, unknown or wrong', async (t) => {
  const [ada, eve] = [person(), person()]
  const checkout = await subscribe(ada, 'pro')
  const at = `/v1/billing/checkouts/${checkout.id}`
  const invoice = `/v1/billing/invoices/${checkout.invoiceId}`
  for (const path of [at, invoice]) {
    t.match(await anyone.get(path), { status: 401 }, path)
    t.match(await eve.get(path), refused(403, { code: 'not_owner' }), path)
    t.match(await ada.get(path.replace(/_[0-9a-z]+$/, '_01k4qz0000e0080000000000ab')), { status: 404 }, path)
  }
  for (const action of ['pay', 'void']) {
    t.match(await ada.post(`${invoice}/${action}`), refused(403, { code: 'scope_missing' }), action)
    t.match(await root.post(`/v1/billing/invoices/invoice_x/${action}`), { status: 404 }, action)
  }
  t.match(await ada.post(`${invoice}/refund`, {}), { status: 403 })
  t.match(await root.post(`${invoice}/void`), { body: { data: { status: 'void' } } })
  t.match(await ada.get(at), { body: { data: { status: 'expired' } } })
  t.match(await pay(checkout.invoiceId), refused(409, { code: 'invoice_settled' }))

  for (const path of ['subscription', 'entitlements', 'invoices', 'payment-methods']) {
    t.match(await anyone.get(`/v1/billing/${path}`), { status: 401 }, path)
    t.match(await eve.get(`/v1/billing/${path}?owner=${ada.id}`), refused(403, { param: 'owner' }), path)
    t.match(await root.get(`/v1/billing/${path}?owner=${ada.id}`), { status: 200 }, path)
    t.match(await ada.get(`/v1/billing/${path}?unheard=1`), { status: 400 }, path)
  }
  t.match(await ada.get('/v1/billing/invoices?all=true'), refused(403, { param: 'all' }))
  t.match(await ada.get('/v1/billing/invoices?status=lost'), { status: 400 })
  const all = (await root.get('/v1/billing/invoices?all=true&limit=1')).body
  t.equal(all.data.length, 1)
  t.match(await root.get(`/v1/billing/invoices?all=true&cursor=${all.nextCursor}`), { status: 200 })
  t.match(await ada.get('/v1/billing/payment-methods'), { body: { data: [], nextCursor: null } })

  for (const [path, key] of [
    ['subscription', 'planKey'],
    ['topup', 'packKey']
  ] as const) {
    const to = `/v1/billing/checkout/${path}`
    t.match(await anyone.post(to, { [key]: 'pro' }), { status: 401 })
    t.match(await eve.post(to, { [key]: 'nowhere' }), refused(404, { param: `/${key}` }))
    t.match(await eve.post(to, {}), refused(400, { param: `/${key}` }))
    t.match(await eve.post(to, { [key]: 'Pro!' }), refused(400, { param: `/${key}` }))
    for (const returnUrl of ['https://elsewhere.example', '//elsewhere.example', 'javascript:1', '/\\a'])
      t.match(
        await eve.post(to, { [key]: key === 'planKey' ? 'pro' : 'small', returnUrl }),
        refused(400, { param: '/returnUrl' }),
        returnUrl
      )
  }
  t.match(await eve.post('/v1/billing/portal', { returnUrl: 'http://elsewhere.example' }), { status: 400 })
  t.match(await eve.post('/v1/billing/portal', {}), {
    status: 201,
    body: { data: { url: /\/console\/billing$/ } }
  })
  const agent = as((await eve.agent()).id, { type: 'agent', owner: eve.id })
  t.match(await agent.post('/v1/billing/checkout/topup', { packKey: 'small' }), { status: 403 })
  t.match(await agent.get('/v1/billing/entitlements'), { status: 200 }, 'an agent has what its owner has')
})

t.test('a repetition by its key buys once', async (t) => {
  const ada = person()
  const headers = { 'idempotency-key': 'one' }
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => ada.post('/v1/billing/checkout/topup', { packKey: 'small' }, headers))
  )
  const made = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
  t.equal(made.size, 1)
  t.equal((await invoicesOf(ada)).length, 1)
})

t.test('another plan checkout takes the place of the one that is open', async (t) => {
  const ada = person()
  const first = await subscribe(ada, 'pro')
  const second = await subscribe(ada, 'team')
  t.match(await ada.get(`/v1/billing/checkouts/${first.id}`), { body: { data: { status: 'expired' } } })
  t.match(await pay(first.invoiceId), refused(409, { code: 'invoice_settled' }))
  t.match(await pay(second.invoiceId), { status: 200 })
  t.match(await subscriptionOf(ada), { plan: { key: 'team' } })
})

t.test('plan checkouts that are begun at once leave one that can be paid', async (t) => {
  for (const bought of [false, true]) {
    const ada = person()
    if (bought) await pay((await subscribe(ada, 'pro')).invoiceId)
    const asked = (planKey: string) => ada.post('/v1/billing/checkout/subscription', { planKey })
    const keys = bought ? ['team', 'trial', 'team', 'team'] : ['pro', 'team', 'pro', 'team', 'pro']
    const replies = await Promise.all(keys.map(asked))
    t.ok(replies.some(({ status }) => status === 201))
    for (const reply of replies)
      if (reply.status !== 201)
        t.match(reply.body.error.code, /^(checkout_replaced|already_subscribed|busy)$/)
    const open = await invoicesOf(ada, '&status=open')
    t.ok(open.length <= 1, `${open.length} invoices are open`)
    const all = await platform.knex('billing.invoice').where({ owner: ada.id, status: 'void' })
    for (const { id } of all) t.match(await pay(id), refused(409, { code: 'invoice_settled' }))
    for (const { id } of open) t.match(await pay(id), { status: 200 })
    const live = await platform
      .knex('billing.subscription')
      .where({ owner: ada.id })
      .whereNot({ status: 'canceled' })
    t.equal(live.length, 1)
  }
})

t.test('a dearer plan that is paid late has the days that it was asked for', async (t) => {
  const [ada, bob, cyd] = [person(), person(), person()]
  for (const it of [ada, bob]) await pay((await subscribe(it, 'pro')).invoiceId)
  const { invoiceId } = await subscribe(ada, 'team')
  const [asked] = await invoicesOf(ada, '&status=open')
  await later(ada, 10)
  t.match(await pay(invoiceId), { status: 200 })
  const { currentPeriodStart, currentPeriodEnd, plan } = await subscriptionOf(ada)
  t.equal(plan.key, 'team')
  const day = 86_400_000
  t.ok(Math.abs(Date.parse(asked.periodStart) - 10 * day - Date.parse(currentPeriodStart)) < day / 2)
  t.ok(Date.parse(currentPeriodEnd) < Date.now() + 22 * day, 'and no day more')

  await later(bob, 25)
  await subscribe(bob, 'team')
  const [late] = await invoicesOf(bob, '&status=open')
  t.equal(late.dueAt, (await subscriptionOf(bob)).currentPeriodEnd, 'it is due before the period ends')
  await platform
    .knex('billing.subscription')
    .where({ owner: bob.id })
    .update({ currentPeriodStart: new Date(Date.now() + 1_000) })
  t.match(await pay(late.id), refused(409, { code: 'invoice_outdated' }))
  await later(bob, 7)
  t.match(await pay(late.id), refused(409, { code: 'invoice_settled' }))
  t.match(await invoicesOf(bob, '&status=open'), [{ reason: 'subscription_cycle', amount: 2_000 }])

  await subscribe(cyd, 'trial')
  const chosen = await subscribe(cyd, 'team')
  await later(cyd, 5)
  t.match(await pay(chosen.invoiceId), { status: 200 })
  const whole = Date.parse((await subscriptionOf(cyd)).currentPeriodEnd)
  t.ok(whole > Date.now() + 27 * day, 'what follows a trial is a whole period')
})

t.test('who bought a plan keeps its terms when the catalogue changes', async (t) => {
  const ada = person()
  await pay((await subscribe(ada, 'pro')).invoiceId)
  const plans = JSON.stringify([plan('free', 0), plan('pro', 9_900)])
  // Of the environment of this test, so another instance has others.
  const other = await shop(t, { beside: booted, env: { BILLING_PLANS: plans } })
  const key = await ada.key()
  const get = (path: string) => other.anyone.get(path, { authorization: `Bearer ${key}` })
  t.match((await get('/v1/billing/subscription')).body.data, { plan: { key: 'pro', price: 2_000 } })
  t.match((await get('/v1/billing/catalog')).body.data.plans[1], { price: 9_900 })
})
