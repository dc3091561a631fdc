// budget: 6 s, because fifty transactions are signed, and a chain is waited for
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import type { Any } from './testbed.ts'
import { ended, open, pay, stage, walletOf } from './testbed.ts'

t.test('transfers', async (t) => {
  const { as, chain, platform, settled } = await stage(t, { explorer: 'https://scan.example' })
  const ada = as('ada')
  const to = chain.merchant

  t.test('pay once, and end when they are in a block', async (t) => {
    const wallet = await walletOf(ada, chain, { policy: open })
    const path = `/v1/wallets/${wallet.id}/transfer`
    const body = { to, amount: '2.5' }
    const before = await chain.tokens(to)
    const made = await ada.post(path, body, { 'idempotency-key': 'first' })
    t.match(made, {
      status: 201,
      body: {
        data: {
          status: 'pending',
          kind: 'transfer',
          asset: 'stablecoin',
          amount: '2.5',
          minorUnits: '2500000',
          to,
          approved: true
        }
      }
    })
    t.match(made.body.data.explorerUrl, `https://scan.example/tx/${made.body.data.hash}`)
    const again = await Promise.all([1, 2, 3].map(() => ada.post(path, body, { 'idempotency-key': 'first' })))
    for (const reply of again) {
      t.equal(reply.headers.get('idempotency-replayed'), 'true')
      t.equal(reply.body.data.id, made.body.data.id)
    }
    t.match(await ada.post(path, { ...body, amount: '3' }, { 'idempotency-key': 'first' }), {
      status: 409,
      body: { error: { code: 'idempotency_key_reused' } }
    })
    t.match(await ended(ada, made.body.data), { status: 'confirmed', endedAt: /./ })
    t.equal((await chain.tokens(to)) - before, 2_500_000n)
    await settled()
    const facts = await platform.knex('kernel.fact').where({ subject: made.body.data.id }).orderBy('id')
    t.same(facts.map(({ name }) => name).sort(), ['wallets.transfer_begun', 'wallets.transfer_confirmed'])

    const native = await pay(ada, wallet, { to, amount: '0.25', asset: 'native' })
    t.match(await ended(ada, native), { status: 'confirmed', symbol: 'ETH' })
    const list = await ada.get(`/v1/wallets/${wallet.id}/transfers?limit=1`)
    t.match(list.body, { data: [{ id: native.id }], nextCursor: /./ })
    t.match((await ada.get(`/v1/wallets/${wallet.id}/transfers?status=failed`)).body.data, [])
  })

  t.test('fifty at once have nonces in order, and all arrive', async (t) => {
    const wallet = await walletOf(ada, chain, { policy: open })
    const before = await chain.tokens(to)
    // A machine that does much else says so, and then it is asked again.
    const payPatiently = async (index: number) => {
      const { body } = await until(
        () =>
          ada.post(
            `/v1/wallets/${wallet.id}/transfer`,
            { to, amount: '0.01' },
            { 'idempotency-key': `${index}` }
          ),
        ({ body }) => body.error?.code !== 'busy'
      )
      return body.data
    }
    const made = await Promise.all(Array.from({ length: 50 }, (_, index) => payPatiently(index)))
    t.equal(new Set(made.map(({ hash }) => hash)).size, 50)
    for (const transfer of made) t.match(await ended(ada, transfer), { status: 'confirmed' })
    t.equal((await chain.tokens(to)) - before, 500_000n)
    const nonces = await platform.knex('wallets.transfer').where({ walletId: wallet.id }).orderBy('nonce')
    t.same(
      nonces.map(({ nonce }) => Number(nonce)),
      Array.from({ length: 50 }, (_, nonce) => nonce)
    )
  })

  t.test('are refused where the network would not do them', async (t) => {
    const wallet = await walletOf(ada, chain, { policy: open, dollars: 1n })
    const path = `/v1/wallets/${wallet.id}/transfer`
    const refused = async (body: object, status: number, error: object) =>
      t.match(await ada.post(path, { to, amount: '0.5', ...body }), { status, body: { error } })
    await refused({ amount: '1.000001' }, 409, { code: 'insufficient_funds', message: /1 TUSD/ })
    await refused({ amount: '1', asset: 'native' }, 409, { code: 'insufficient_funds' })
    await refused({ amount: '0.0000001' }, 400, { param: '/amount' })
    await refused({ amount: '0' }, 400, { param: '/amount' })
    await refused({ amount: '-1' }, 400, { param: '/amount' })
    await refused({ to: '0x0000000000000000000000000000000000000000' }, 400, { param: '/to' })
    await refused({ to: wallet.address }, 400, { param: '/to' })
    await refused({ to: chain.network.stablecoin.address }, 400, { param: '/to' })
    await refused({ to: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' }, 400, { param: '/to' })
    await chain.block(to, true)
    await refused({}, 409, { code: 'simulation_failed', message: /recipient is blocked/ })
    await chain.block(to, false)
    const poor = await walletOf(ada, chain, { policy: open, coins: 0n })
    t.match(await ada.post(`/v1/wallets/${poor.id}/transfer`, { to, amount: '1' }), {
      status: 409,
      body: { error: { code: 'insufficient_funds' } }
    })
    t.match(await as('eve').post(path, { to, amount: '0.5' }), { status: 403 })
    t.match(await ada.post('/v1/wallets/wallet_nope/transfer', { to, amount: '0.5' }), { status: 404 })
    t.match(await as('eve').get(`${path}s`), { status: 403 })
    t.match(await ada.get(`${path}s/transfer_nope`), { status: 404 })
    t.equal((await ada.get(`${path}s`)).body.data.length, 0, 'nothing is written down of that')
  })

  t.test('keep to the policy, whoever asks for them', async (t) => {
    const limits = { maxPerPayment: '2', maxPerDay: '5', approvalAbove: '1' }
    const policy = { ...open, stablecoin: limits, recipients: [to.toLowerCase()] }
    const wallet = await walletOf(ada, chain, { policy })
    const itself = as(wallet.agentId, { type: 'agent', owner: ada.id })
    const path = `/v1/wallets/${wallet.id}`
    const asked = async (by: Any, amount: string, status: number, code?: string, who: string = to) =>
      t.match(await by.post(`${path}/transfer`, { to: who, amount }), {
        status,
        ...(code && { body: { error: { code } } })
      })
    await asked(itself, '1', 201)
    await asked(itself, '1.000001', 403, 'approval_required')
    await asked(ada, '1.5', 201)
    await asked(ada, '2.01', 402, 'payment_cap_exceeded')
    await asked(
      ada,
      '1',
      403,
      'recipient_not_allowed',
      wallet.address.replace(/.$/, (it: string) => (it === '1' ? '2' : '1')).toLowerCase()
    )
    await asked(itself, '0.1', 403, 'approval_required')
    await asked(ada, '1', 201)
    const racing = await Promise.all(
      [1, 2, 3, 4].map(() => ada.post(`${path}/transfer`, { to, amount: '1' }))
    )
    t.same(
      racing.map(({ status }) => status).sort(),
      [201, 402, 402, 402],
      'the cap of a day holds in a race'
    )
    await ada.patch(path, { frozen: true })
    await asked(ada, '0.1', 409, 'wallet_frozen')
    await ada.patch(path, {
      frozen: false,
      policy: { ...policy, stablecoin: { ...limits, maxPerDay: null } }
    })
    await asked(ada, '0.1', 201)
    await until(
      async () => (await ada.get(`${path}/transfers?status=pending`)).body.data,
      ({ length }) => length === 0
    )
    await ada.delete(`${path}?force=true`)
    await asked(ada, '0.1', 409, 'wallet_deactivated')
    t.equal((await ada.get(`${path}/transfers`)).body.data.length, 5, 'its history is kept')
  })
})
