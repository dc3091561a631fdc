// budget: 15 s, because instances are killed, each a process of its own
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { rounds } from '../../../test/rounds.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import { stripeServer } from './stripe/testbed.ts'
import { deliver } from './stripe/wire-testbed.ts'
import { balanceOf, buy, PACKS, PLANS, shop, subscribe, subscriptionOf } from './testbed.ts'

const KILLS = rounds(3, 20)
const BUYERS = 8
t.setTimeout(rounds(300_000, 3_600_000))

t.test(`kill -9 between webhook and grant, ${KILLS} times (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const there = await stripeServer(t)
  const env = {
    ...there.env,
    BILLING_PROVIDER: 'stripe',
    BILLING_PLANS: JSON.stringify(PLANS),
    BILLING_PACKS: JSON.stringify(PACKS)
  }
  const { booted, knex, person, settled, factsOf } = await shop(t, { env })
  const packs = ['agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'credits', 'billing']
  const start = () => startPlatform(t, booted.connection, [], packs, env)
  const buyers = []
  let next = start()
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await next
    await victim.ready
    if (kill < KILLS) next = start()
    const far = createClient(victim.url, 'stripe')
    const crowd = await Promise.all(
      Array.from({ length: BUYERS }, async (_, n) => {
        const ada = person()
        const checkout = n % 4 ? await buy(ada) : await subscribe(ada, 'pro')
        const { providerId } = await knex('billing.checkout').where({ id: checkout.id }).first()
        return { ada, providerId, isPlan: n % 4 === 0 }
      })
    )
    const from = there.events.length
    for (const { providerId } of crowd) there.pay(providerId)
    const events = there.events.slice(from)
    let answered = 0
    const replies = events.map((event) =>
      deliver(far, event)
        .then(({ status }) => {
          answered++
          return status === 200
        })
        .catch(() => false)
    )
    // The first round dies while what is paid is looked up, at a place of its own.
    const held = Promise.withResolvers<void>()
    if (kill === 1)
      there.state.answers[`/v1/checkout/sessions/${crowd[1]?.providerId}`] = () => held.resolve()
    if (kill === 1) await held.promise
    else while (answered < random(events.length)) await delay(1)
    await delay(random(25))
    await victim.kill()
    there.state.answers = {}
    const came = await Promise.all(replies)
    // As Stripe does with what was not answered, and now and then with what was.
    for (const [at, event] of events.entries())
      if (!came[at] || random(4) === 0) t.match(await deliver(booted.anyone, event), { status: 200 })
    buyers.push(...crowd)
  }
  await settled()
  for (const { ada, isPlan } of buyers) {
    t.equal(await balanceOf(ada), isPlan ? '100' : '50', ada.id)
    t.equal((await factsOf(ada, 'billing.invoice_paid')).length, 1)
    if (isPlan) t.match(await subscriptionOf(ada), { status: 'active' })
  }
  const sums = await knex.raw('select sum(amount)::text as sum from credits.entry')
  t.equal(sums.rows[0].sum, '0')
})
