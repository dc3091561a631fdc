// budget: 6 s, because payments are verified and settled on a chain
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { startChain } from '../../../test/chain/chain.ts'
import { openShop } from './shop-testbed.ts'
import type { Any } from './testbed.ts'
import { ended, envOf, open, walletOf } from './testbed.ts'

t.test('answers that are paid for by x402', async (t) => {
  const chain = await startChain(t, '--chain-id', '84532')
  const network = { chainId: 84_532, name: 'base-sepolia' }
  const shop = await openShop(t, chain, network)
  const settings = {
    ...chain.network,
    id: 'base',
    chainId: 84_532,
    x402Name: 'base-sepolia',
    pollSeconds: 0.2
  }
  const { as, platform } = await boot(t, 'wallets', { env: envOf(settings) })
  const ada = as('ada')
  const wallet = await walletOf(ada, chain, { policy: open, coins: 0n })
  const path = `/v1/wallets/agent/${wallet.agentId}/x402-fetch`
  const buy = (at: string, fields: object = {}, key?: string, by: Any = ada) =>
    by.post(path, { url: `${shop.url}${at}`, ...fields }, key ? { 'idempotency-key': key } : {})
  const paid = async (work: () => Promise<unknown>) => {
    const before = await chain.tokens(chain.merchant)
    await work()
    return (await chain.tokens(chain.merchant)) - before
  }

  for (const version of [1, 2])
    t.test(`of version ${version}: shown first, paid once, with a receipt`, async (t) => {
      const at = `/v${version}`
      const preview = await buy(at, { preview: true })
      t.match(preview.body.data, {
        answer: null,
        payment: null,
        quote: {
          version,
          amount: '0.01',
          symbol: 'TUSD',
          to: chain.merchant,
          host: /^127/,
          description: 'A joke'
        }
      })
      const amount = await paid(async () => {
        const made = await buy(at, {}, `once-${version}`)
        t.match(made, {
          status: 200,
          body: {
            data: {
              answer: { status: 200, body: '{"joke":"paid"}', encoding: 'utf8' },
              payment: { kind: 'x402', amount: '0.01', to: chain.merchant },
              receipt: { success: true, transaction: /^0x/ }
            }
          }
        })
        const again = await buy(at, {}, `once-${version}`)
        t.equal(again.headers.get('idempotency-replayed'), 'true')
        t.same(again.body.data.answer, made.body.data.answer)
        t.match(await buy('/free', {}, `once-${version}`), {
          status: 409,
          body: { error: { code: 'idempotency_key_reused' } }
        })
        const { payment, receipt } = made.body.data
        t.match(await ended(ada, payment), { status: 'confirmed', hash: receipt.transaction })
      })
      t.equal(amount, 10_000n)
    })

  t.test('what costs nothing is fetched, and nothing is paid', async (t) => {
    t.match((await buy('/free')).body.data, { answer: { status: 200 }, quote: null, payment: null })
  })

  t.test('servers that are not honest get nothing, or are found out', async (t) => {
    const refused = async (at: string, status: number, code: string, fields: object = {}) =>
      t.match(await buy(at, fields), { status, body: { error: { code } } }, at)
    const amount = await paid(async () => {
      await refused('/garbage', 502, 'payment_challenge_invalid')
      await refused('/moved', 502, 'redirected')
      await refused('/permit2', 409, 'payment_not_supported')
      await refused('/other', 409, 'payment_not_supported')
      await refused('/v2', 402, 'price_too_high', { maxAmount: '0.009999' })
      await refused('/greedy', 502, 'payment_refused')
      await refused('/switch', 502, 'payment_refused')
      await refused('/redirect', 502, 'payment_refused')
      const { payment, receipt } = (await buy('/liar')).body.data
      t.equal(receipt.success, true, 'so it says')
      t.equal((await ada.get(`/v1/wallets/${wallet.id}/transfers/${payment.id}`)).body.data.status, 'pending')
      await chain.ask('evm_increaseTime', [700])
      await chain.ask('anvil_mine', ['0x1'])
      t.match(await ended(ada, payment), { status: 'failed', hash: null, failure: /not taken/ })
    })
    t.equal(amount, 0n)
    t.equal(new Set(shop.state.payments).size, 6, 'each payment that was signed was shown once')
    t.match(await buy('/v2', { headers: { 'X-Payment': 'x' } }), { status: 400 })
    t.match(await buy('/v2', { url: 'ftp://example.com' }), {
      status: 400,
      body: { error: { param: '/url' } }
    })
    t.match(await buy('/v2', {}, undefined, as('eve')), { status: 403 })
    t.match(await ada.post(path.replace(wallet.agentId, 'agent_nope'), { url: shop.url }), { status: 404 })
  })

  t.test('an answer that was lost is not paid for twice', async (t) => {
    shop.state.hangUp = 1
    const amount = await paid(async () => {
      t.match(await buy('/v2', {}, 'lost'), {
        status: 502,
        body: { error: { code: 'payment_outcome_unknown' } }
      })
      t.match(await buy('/v2', {}, 'lost'), {
        status: 200,
        body: { data: { answer: { body: '{"joke":"paid"}' } } }
      })
    })
    t.equal(amount, 10_000n)
    const late = await paid(async () => {
      shop.state.deaf = 1
      const lost = { status: 502, body: { error: { code: 'payment_outcome_unknown' } } }
      t.match(await buy('/v2', {}, 'late'), lost)
      const [{ id }] = (await ada.get(`/v1/wallets/${wallet.id}/transfers?limit=1`)).body.data
      await chain.ask('evm_increaseTime', [700])
      await chain.ask('anvil_mine', ['0x1'])
      t.match(await ended(ada, { id, walletId: wallet.id }), { status: 'failed' }, 'it was never taken')
      t.match(await buy('/v2', {}, 'late'), { status: 200, body: { data: { payment: { id: /./ } } } })
      const again = await buy('/v2', {}, 'late')
      t.not(again.body.data.payment.id, id, 'another payment took its place')
      t.match(await ended(ada, again.body.data.payment), { status: 'confirmed' })
    })
    t.equal(late, 10_000n)
    const racing = await paid(async () => {
      const all = await Promise.all([1, 2, 3, 4].map(() => buy('/v2', {}, 'racing')))
      t.ok(all.some(({ status }) => status === 200))
      for (const { status, body } of all)
        if (status !== 200) t.match(body.error, { code: 'idempotency_in_progress' })
    })
    t.equal(racing, 10_000n)
  })

  t.test('the policy counts them', async (t) => {
    const limits = { maxPerPayment: '0.02', maxPerDay: '0.03', approvalAbove: '0.01' }
    const policy = { ...open, stablecoin: limits, hosts: ['127.0.0.1'] }
    const other = await walletOf(ada, chain, { policy, coins: 0n })
    const itself = as(other.agentId, { type: 'agent', owner: ada.id })
    const at = `/v1/wallets/agent/${other.agentId}/x402-fetch`
    const asked = async (by: Any, status: number, code?: string) =>
      t.match(await by.post(at, { url: `${shop.url}/v2` }), {
        status,
        ...(code && { body: { error: { code } } })
      })
    await asked(itself, 200)
    shop.state.price = '15000'
    await asked(itself, 403, 'approval_required')
    await asked(ada, 200)
    await asked(ada, 402, 'day_cap_exceeded')
    shop.state.price = '20001'
    await asked(ada, 402, 'payment_cap_exceeded')
    shop.state.price = '1'
    await ada.patch(`/v1/wallets/${other.id}`, {
      policy: { ...policy, hosts: ['*.example.com', '127.0.0.1:1'] }
    })
    await asked(ada, 403, 'host_not_allowed')
    const signed = await platform.knex('wallets.purchase').where({ walletId: other.id })
    t.equal(signed.length, 2, 'nothing is signed of what is refused')
  })
})
