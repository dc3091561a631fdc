// budget: 8 s, because two instances handle the same events
import t from 'tap'
import { randomOf, seed, shuffle } from '../../../../test/seed.ts'
import { balanceOf, buy, entitledTo, invoicesOf, shop, subscribe, subscriptionOf } from '../testbed.ts'
import { KEY, stripeServer } from './testbed.ts'
import { deliver, SECRET } from './wire-testbed.ts'

const there = await stripeServer(t)
const env = { ...there.env, BILLING_PROVIDER: 'stripe' }
const lines: string[] = []
const log = (line: object) => void lines.push(JSON.stringify(line))
const here = await shop(t, { env, log })
const other = await shop(t, { env, log, beside: here.booted })
const { person, anyone, knex, settled, reconcile } = here
const refused = (status: number, error: object) => ({ status, body: { error } })
let seen = 0
/** What was emitted since, and not delivered. */
const fresh = () => there.events.slice(seen, (seen = there.events.length))
const deliverAll = async (events = fresh()) => {
  const replies = await Promise.all(events.map((it) => deliver(anyone, it)))
  for (const { status, text } of replies) if (status !== 200) throw new Error(`${status} ${text}`)
  await settled()
}
const sessionOf = async (checkout: { id: string }) =>
  (await knex('billing.checkout').where({ id: checkout.id }).first()).providerId
const customer = async (planKey = 'pro') => {
  const ada = person()
  const checkout = await subscribe(ada, planKey)
  there.pay(await sessionOf(checkout))
  await deliverAll()
  return { ada, checkout, id: there.all('sub').at(-1).id as string }
}

t.test('a plan is bought at Stripe: nothing before its webhook, and all of it once', async (t) => {
  const ada = person()
  const checkout = await subscribe(ada, 'pro')
  t.match(checkout, {
    status: 'open',
    provider: 'stripe',
    url: 'https://checkout.example/pay',
    amount: 2_000
  })
  t.match(await ada.post('/v1/billing/portal', {}), { body: { data: { url: /portal\.example\/cus_/ } } })
  const session = await sessionOf(checkout)
  t.match(there.get(session), {
    client_reference_id: checkout.id,
    success_url: new RegExp(`/console/billing\\?checkout=${checkout.id}$`)
  })
  there.pay(session)
  t.equal(await subscriptionOf(ada), null)
  await deliverAll()
  t.match(await subscriptionOf(ada), { status: 'active', provider: 'stripe', plan: { key: 'pro' } })
  t.equal(await balanceOf(ada), '100')
  t.match(await entitledTo(ada), { planKey: 'pro', agents: 10 })
  const [invoice] = await invoicesOf(ada)
  t.match(invoice, { status: 'paid', amount: 2_000, checkoutId: checkout.id, credits: '100' })
  const read = await ada.get(`/v1/billing/checkouts/${checkout.id}`)
  t.match(read.body.data, { status: 'completed', invoiceId: invoice.id })
  t.match((await ada.get('/v1/billing/payment-methods')).body.data, [
    { id: 'pm_1', brand: 'visa', last4: '4242', isDefault: true }
  ])
  t.match(
    await here.root.post(`/v1/billing/invoices/${invoice.id}/refund`, {}),
    refused(409, { code: 'provider_settles' })
  )
  const prices = there.all('price').length
  await subscribe(person(), 'pro')
  t.equal(there.all('price').length, prices, 'a version of a plan is one price there')
})

t.test('who comes back before the webhook sees what was paid', async (t) => {
  const ada = person()
  const checkout = await buy(ada)
  there.pay(await sessionOf(checkout))
  t.match((await ada.get(`/v1/billing/checkouts/${checkout.id}`)).body.data, { status: 'completed' })
  t.equal(await balanceOf(ada), '50')
  await deliverAll()
  t.equal(await balanceOf(ada), '50')
  t.equal((await invoicesOf(ada)).length, 1)
})

t.test('events come in any order, many times, late, or never: it comes to the same', async (t) => {
  const { ada, id } = await customer()
  const before = there.events.length
  there.renew(id)
  there.renew(id)
  there.renew(id, { fails: true })
  const told = there.events.slice(before)
  seen = there.events.length
  t.comment(`SEED=${seed}`)
  const shuffled = shuffle([...told, ...told, ...told], randomOf(seed))
  await deliverAll(shuffled.slice(2))
  t.match(await subscriptionOf(ada), { status: 'past_due', graceEndsAt: /T/ })
  t.equal(await balanceOf(ada), '300')
  t.match(await entitledTo(ada), { planKey: 'pro', status: 'past_due' })
  const count = async () => (await here.factsOf(ada, 'billing.invoice_paid')).length
  t.equal(await count(), 3)

  there.renew(id)
  seen = there.events.length
  t.equal(await balanceOf(ada), '300', 'those were dropped')
  await reconcile()
  await settled()
  t.equal(await balanceOf(ada), '400')
  t.match(await subscriptionOf(ada), { status: 'active', graceEndsAt: null })
  await reconcile()
  await deliverAll(told)
  t.equal(await balanceOf(ada), '400')
  t.equal(await count(), 4)
  there.end(id)
  await deliverAll()
  await deliverAll(told)
  t.match(await subscriptionOf(ada), { status: 'canceled' }, 'what is over does not come back')
  t.match(await entitledTo(ada), { planKey: 'free' })
})

t.test('two instances handle the same events at once, each once', async (t) => {
  const { ada, id } = await customer()
  there.renew(id)
  const events = fresh()
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      events.map((it) => deliver((n % 2 ? here : other).anyone, it))
    ).flat()
  )
  await settled()
  t.equal(await balanceOf(ada), '200')
  t.equal((await here.factsOf(ada, 'billing.invoice_paid')).length, 2)
  const key = await ada.key()
  const { body } = await other.anyone.get('/v1/billing/entitlements', { authorization: `Bearer ${key}` })
  t.match(body.data, { planKey: 'pro' })
  there.end(id)
  await deliverAll()
  const again = await other.anyone.get('/v1/billing/entitlements', { authorization: `Bearer ${key}` })
  t.match(again.body.data, { planKey: 'free' }, 'a change holds at once on the other one')
})

t.test('webhooks that are forged, old, changed or replayed', async (t) => {
  const ada = person()
  const checkout = await buy(ada)
  there.pay(await sessionOf(checkout))
  const [event] = fresh()
  const at = Math.floor(Date.now() / 1_000)
  const wrong = refused(400, { param: 'stripe-signature', code: 'signature_invalid' })
  t.match(await deliver(anyone, event, { secret: 'whsec_of_another' }), wrong)
  t.match(await deliver(anyone, event, { at: at - 400 }), wrong, 'too old')
  t.match(await deliver(anyone, { ...event, type: 'invoice.paid' }, { signed: JSON.stringify(event) }), wrong)
  const bare = { body: JSON.stringify(event), headers: { 'content-type': 'application/json' } }
  t.match(await anyone.request('POST', '/v1/billing/webhooks/stripe', bare), wrong)
  t.match(await anyone.request('POST', '/v1/billing/webhooks/stripe', { body: '{' }), wrong)
  t.match(await anyone.request('POST', '/v1/billing/webhooks/manual', bare), { status: 404 })
  t.match(await anyone.request('POST', '/v1/billing/webhooks/nobody', bare), { status: 404 })
  t.equal(await balanceOf(ada), '0')
  t.match(await deliver(anyone, event, { at: at - 200 }), { status: 200 })
  for (let n = 0; n < 5; n++) t.match(await deliver(anyone, event), { status: 200 })
  await settled()
  t.equal(await balanceOf(ada), '50')
  t.match(await deliver(anyone, there.emit('payout.paid', { id: 'po_1' })), { status: 200 }, 'of no interest')
  t.match(await deliver(anyone, there.emit('invoice.paid', { id: 'in_x', customer: 'cus_other' })), {
    status: 200
  })
  fresh()
})

t.test('a checkout of someone else brings nothing', async (t) => {
  const [ada, eve] = [person(), person()]
  const [hers, mine] = [await buy(ada), await buy(eve)]
  // A payment link of the same account lets who pays name what they like, but no metadata.
  const session = there.get(await sessionOf(hers))
  const link = {
    ...session,
    id: 'cs_link',
    metadata: {},
    customer: there.get(await sessionOf(mine)).customer
  }
  there.pay(await sessionOf(mine))
  fresh()
  const own = there.get(await sessionOf(mine))
  own.customer = 'cus_of_a_shop'
  await deliver(anyone, there.emit('checkout.session.completed', { ...own, customer: link.customer }))
  await deliver(anyone, there.emit('checkout.session.completed', link))
  await settled()
  fresh()
  t.equal(await balanceOf(eve), '0', 'what the event says of its customer counts for nothing')
  t.equal(await balanceOf(ada), '0')
  t.match(await eve.get(`/v1/billing/checkouts/${hers.id}`), refused(403, { code: 'not_owner' }))
})

t.test('refunds and disputes take credits back, down to zero', async (t) => {
  const ada = person()
  there.pay(await sessionOf(await buy(ada)))
  await deliverAll()
  const intent = there.all('pi').at(-1).id
  there.refund(intent, 100)
  await deliverAll()
  t.equal(await balanceOf(ada), '40')
  there.dispute(intent)
  await deliverAll()
  t.equal(await balanceOf(ada), '0')
  t.match(await invoicesOf(ada), [{ isDisputed: true, creditsTaken: '50', amountRefunded: 100 }])
  there.dispute(intent, 'won')
  await deliverAll()
  t.equal(await balanceOf(ada), '40')
  t.match(await invoicesOf(ada), [{ isDisputed: false, creditsTaken: '10' }])

  const { ada: bob } = await customer()
  const paid = there.all('pi').at(-1).id
  await here.root.post('/v1/credits/debits', { owner: bob.id, amount: '70', reason: 'Spent' })
  there.refund(paid, 2_000)
  await deliverAll()
  t.equal(await balanceOf(bob), '0')
  t.match(await invoicesOf(bob), [{ amountRefunded: 2_000, creditsTaken: '30' }])
})

t.test('plans change at Stripe, and credits follow the money', async (t) => {
  const { ada } = await customer()
  t.match(await subscribe(ada, 'team'), { status: 'completed', url: null })
  t.match(await subscriptionOf(ada), { plan: { key: 'team' } })
  await deliverAll()
  const bought = 100 + (500 * 4_000) / 6_000
  t.ok(Math.abs(Number(await balanceOf(ada)) - bought) < 0.00001)
  for (const plan of ['pro', 'team', 'pro', 'team']) await subscribe(ada, plan)
  await deliverAll()
  t.ok(Math.abs(Number(await balanceOf(ada)) - bought) < 0.00001, 'to and fro brings nothing')
  t.match(await entitledTo(ada), { planKey: 'team' })
  there.state.declines = true
  t.match(
    await ada.post('/v1/billing/checkout/subscription', { planKey: 'pro' }),
    refused(402, { type: 'payment_required', code: 'payment_failed' })
  )
  there.state.declines = false
  t.match(await subscriptionOf(ada), { plan: { key: 'team' } })
  t.match(await ada.post('/v1/billing/subscription/cancel', {}), {
    body: { data: { cancelAtPeriodEnd: true } }
  })
  t.match(await ada.post('/v1/billing/subscription/resume'), { body: { data: { cancelAtPeriodEnd: false } } })
  t.match(await ada.post('/v1/billing/subscription/cancel', { atPeriodEnd: false }), {
    body: { data: { status: 'canceled' } }
  })
  await deliverAll()
})

t.test('a trial at Stripe brings its entitlements and no credits', async (t) => {
  const { ada, id } = await customer('trial')
  t.match(await subscriptionOf(ada), { status: 'trialing', trialEndsAt: /T/ })
  t.match(await entitledTo(ada), { planKey: 'trial', agents: 5 })
  t.equal(await balanceOf(ada), '0')
  there.renew(id)
  await deliverAll()
  t.equal(await balanceOf(ada), '50')
  const { ada: bob } = await customer('trial')
  await subscribe(bob, 'pro')
  t.match(await subscriptionOf(bob), { status: 'active', plan: { key: 'pro' } }, 'no trial of another plan')
  t.equal(await balanceOf(bob), '100')
  await deliverAll()
  t.equal(await balanceOf(bob), '100')
})

t.test('Stripe away, in trouble, or of another key: nothing is lost or told', async (t) => {
  const ada = person()
  t.match(await ada.post('/v1/billing/portal', {}), refused(409, { code: 'no_customer' }))
  there.state.answers['/v1/customers'] = (reply) => reply.writeHead(401).end(`{"error":{"message":"${KEY}"}}`)
  t.match(
    await ada.post('/v1/billing/checkout/topup', { packKey: 'small' }),
    refused(503, { code: 'provider_not_configured' })
  )
  there.state.answers['/v1/customers'] = (reply) =>
    reply.writeHead(400).end(`{"error":{"type":"invalid_request_error","message":"${KEY}"}}`)
  t.match(
    await ada.post('/v1/billing/checkout/topup', { packKey: 'small' }),
    refused(502, { code: 'provider_refused' })
  )
  there.state.answers = {}
  const checkout = await buy(ada)
  const session = await sessionOf(checkout)
  there.pay(session)
  let failed = 0
  there.state.answers[`/v1/checkout/sessions/${session}`] = (reply) => {
    if (++failed > 3) there.state.answers = {}
    reply.socket?.destroy()
  }
  for (const it of fresh()) await deliver(anyone, it)
  await settled()
  t.equal(await balanceOf(ada), '50')
  t.ok(failed > 3, 'it was asked again')
  const facts = JSON.stringify(await knex('kernel.fact').select('data'))
  for (const secret of [KEY, SECRET]) {
    t.notMatch(lines.join('\n'), secret)
    t.notMatch(facts, secret)
  }
})

t.test('a customer who was deleted at Stripe can pay again', async (t) => {
  const { ada, id } = await customer()
  const customerOf = async () =>
    (await knex('billing.provider_customer').where({ owner: ada.id }).first()).id.replace('stripe:', '')
  const before = await customerOf()
  there.deleteCustomer(before)
  t.match(await ada.post('/v1/billing/portal', {}), refused(409, { code: 'no_customer' }))
  t.match(await ada.get('/v1/billing/payment-methods'), { status: 200, body: { data: [] } })
  const buying = await Promise.all([buy(ada, 'small'), buy(ada, 'small')])
  const after = await customerOf()
  t.not(after, before)
  t.equal(there.all('cus').filter(({ metadata }) => metadata.owner === ada.id).length, 2, 'one more, once')
  for (const checkout of buying) t.equal(there.get(await sessionOf(checkout)).customer, after)
  t.match(await ada.post('/v1/billing/portal', {}), {
    body: { data: { url: `https://portal.example/${after}` } }
  })
  t.equal((await ada.get('/v1/billing/payment-methods')).body.data.length, 1)
  there.pay(await sessionOf(buying[0]))
  await deliverAll()
  t.match((await ada.get(`/v1/billing/checkouts/${buying[0].id}`)).body.data, { status: 'completed' })
  there.forget(id)
  const changed = await subscribe(ada, 'team')
  t.match(changed, { status: 'open', url: 'https://checkout.example/pay' }, 'a new subscription is bought')
  t.match(there.get(await sessionOf(changed)), { mode: 'subscription', customer: after })
  there.pay(await sessionOf(changed))
  await deliverAll()
  t.match(await subscriptionOf(ada), { status: 'active', plan: { key: 'team' } })
  there.forget(there.all('sub').at(-1).id)
  t.match(await ada.post('/v1/billing/subscription/cancel', { atPeriodEnd: false }), {
    status: 200,
    body: { data: { status: 'canceled' } }
  })
})
