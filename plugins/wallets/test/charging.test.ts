// budget: 8 s, because payments are taken on a chain
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { startChain } from '../../../test/chain/chain.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { payerOf } from './charging-testbed.ts'
import { facilitatorOf } from './shop-testbed.ts'
import type { Any } from './testbed.ts'
import { ended, envOf, open, walletOf } from './testbed.ts'

/** A pack whose routes cost something, as its author writes it. */
const oracle = packText(
  'oracle',
  `requires: ['wallets'],
  routes(app, { wallets }) {
    const config = { by: 'public', failures: ['paymentRequired'] }
    let asked = 0
    let moods = 0
    const costs = (summary, amount) => ({
      schema: { tags: ['oracle'], summary },
      config,
      ...wallets.charge({ amount, description: summary })
    })
    app.get('/oracle/asked', { schema: { tags: ['oracle'], summary: 'Asked' }, config: { by: 'public' } }, async () => ({ data: { asked } }))
    app.get('/oracle/forecast', costs('A forecast', '0.01'), async () => ({ data: { rain: true, asked: ++asked } }))
    app.get('/oracle/other', costs('Another one', '0.01'), async () => ({ data: { rain: false, asked: ++asked } }))
    app.get('/oracle/moody', costs('Answers at times', '0.01'), async () => {
      if (++moods % 2) throw Object.assign(new Error('Not now'), { kind: 'conflict', code: 'not_now' })
      return { data: { asked: ++asked } }
    })
    app.post('/oracle/kept', { ...costs('Kept', '0.01'), config: { failures: ['paymentRequired'] } }, async () => ({ data: { asked: ++asked } }))
  }`
)

t.test('routes of a pack cost something by x402', async (t) => {
  const chain = await startChain(t, '--chain-id', '84532')
  const network = { chainId: 84_532, name: 'base-sepolia' }
  const settings = { ...chain.network, id: 'base', chainId: 84_532, x402Name: network.name, pollSeconds: 0.2 }
  const folder = await writeFiles(await temporaryFolder(t), { 'oracle/pack.ts': oracle })
  const env = envOf(settings)
  const here = await boot(t, 'wallets', 'oracle', 'packs', { env, folders: [folder] })
  const { as, anyone, admin: root, platform, url } = here
  const [ada, owner] = [as('ada'), as('owner')]
  const get = (path: string, headers: Record<string, string> = {}): Promise<Any> =>
    anyone.get(`/v1/oracle/${path}`, headers)
  const asked = async () => (await get('asked')).body.data.asked

  t.match(await get('forecast'), { status: 503, body: { error: { code: 'charging_not_configured' } } })
  const till = await walletOf(owner, chain, { dollars: 0n })
  const set = (fields: object) =>
    root.put('/v1/packs/wallets', { settings: { operator: till.id, ...fields } })
  t.match(await set({}), { status: 200 })
  const wallet = await walletOf(ada, chain, { policy: open, coins: 0n })
  const buy = (path: string, fields: object = {}, key?: string): Promise<Any> =>
    ada.post(
      `/v1/wallets/agent/${wallet.agentId}/x402-fetch`,
      { url: `${url}/v1/oracle/${path}`, ...fields },
      key ? { 'idempotency-key': key } : {}
    )
  const earned = async (work: () => Promise<unknown>) => {
    const before = await chain.tokens(till.address)
    await work()
    return (await chain.tokens(till.address)) - before
  }

  const payer = await payerOf(chain, settings)
  const { stranger } = payer
  /** A payment by hand, as someone who is not honest makes it. */
  const payment = (fields: Any = {}, signed: Any = {}) =>
    payer.payment({ to: till.address, ...fields }, signed)
  const refused = (code: string) => ({ status: 402, body: { error: { type: 'payment_required', code } } })

  t.test('who does not pay is asked to, by both versions', async (t) => {
    const reply = await get('forecast')
    t.match(reply, refused('payment_required'))
    t.match(reply.body, {
      x402Version: 1,
      accepts: [{ scheme: 'exact', network: 'base-sepolia', maxAmountRequired: '10000', payTo: till.address }]
    })
    t.match(decodePaymentRequiredHeader(reply.headers.get('payment-required')), {
      x402Version: 2,
      accepts: [
        {
          network: 'eip155:84532',
          amount: '10000',
          payTo: till.address,
          asset: chain.network.stablecoin.address
        }
      ],
      resource: { description: 'A forecast' }
    })
    t.equal(await asked(), 0)
  })

  t.test('an agent pays, and is answered once', async (t) => {
    const amount = await earned(async () => {
      const { body } = await buy('forecast', {}, 'rain')
      t.match(body.data, {
        answer: { status: 200, body: /"rain":true/ },
        quote: { version: 2, amount: '0.01', description: 'A forecast' },
        receipt: { success: true, transaction: /^0x/ }
      })
      t.match(await ended(ada, body.data.payment), { status: 'confirmed' })
    })
    t.equal(amount, 10_000n)
    const v1 = await get('forecast', await payment({ version: 1 }))
    t.match(v1, { status: 200 })
    t.match(decodePaymentResponseHeader(v1.headers.get('x-payment-response')), {
      success: true,
      network: 'base-sepolia',
      payer: stranger.address
    })
    const facts = await platform.knex('kernel.fact').where({ name: 'wallets.charge_settled' })
    t.match(facts, [{ owner: 'owner' }, { owner: 'owner' }])
  })

  t.test('payments that are no payments get nothing', async (t) => {
    const before = await asked()
    const soon = String(Math.floor(Date.now() / 1_000) + 2)
    const wrong: [string, Any, Any?][] = [
      ['too little', { value: '9999' }],
      ['too much', { value: '10001' }],
      ['to someone else', { to: chain.merchant }],
      ['signed for someone else', {}, { to: chain.merchant }],
      ['signed for less', {}, { value: '1' }],
      ['signed by another', { from: chain.merchant }],
      ['signed with another nonce', {}, { nonce: `0x${'9'.repeat(64)}` }],
      ['over', { validBefore: '1700000000' }],
      ['nearly over', { validBefore: soon }],
      ['not good yet', { validAfter: String(Math.floor(Date.now() / 1_000) + 1_000) }]
    ]
    const amount = await earned(async () => {
      for (const [why, fields, signed] of wrong)
        t.match(await get('forecast', await payment(fields, signed)), refused('payment_invalid'), why)
      for (const text of [
        '',
        'x',
        'e30=',
        Buffer.from('{"x402Version":2}').toString('base64'),
        'A'.repeat(12_000)
      ])
        t.match((await get('forecast', { 'payment-signature': text })).status, 402)
      await chain.block(till.address, true)
      t.match(await get('forecast', await payment()), refused('payment_failed'), 'the contract refuses it')
      await chain.block(till.address, false)
    })
    t.equal(amount, 0n)
    t.equal(await asked(), before)
  })

  t.test('a payment is used once, also where it is shown many times at once', async (t) => {
    const before = await asked()
    const shown = await payment()
    const amount = await earned(async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => get('forecast', shown)))
      t.equal(all.filter(({ status }) => status === 200).length, 1)
      for (const reply of all)
        if (reply.status !== 200) t.match(reply.body.error.code, /^payment_(used|in_progress)$/)
    })
    t.equal(amount, 10_000n)
    t.equal((await asked()) - before, 1)
    t.match(await get('forecast', shown), refused('payment_used'))
    t.match(await get('other', shown), refused('payment_used'))
    const again = Object.values(shown)[0] ?? ''
    t.match(await get('forecast', { 'x-payment': again }), refused('payment_used'), 'by the other header')
  })

  t.test('what was not answered is paid for, and may be asked for again', async (t) => {
    const shown = await payment()
    const amount = await earned(async () => {
      const replies = [await get('moody', shown), await get('moody', shown)]
      t.same(
        replies.map(({ status }) => status),
        [409, 200]
      )
      t.match(await get('moody', shown), refused('payment_used'))
    })
    t.equal(amount, 10_000n)
    const other = await payment()
    t.match(await get('moody', other), { status: 409 })
    t.match(await get('other', other), refused('payment_invalid'), 'but for the same')
    t.match(await get('moody', other), { status: 200 })
  })

  t.test('a repetition by its key gets the reply again', async (t) => {
    const headers = { 'idempotency-key': 'kept', ...(await payment()) }
    const [one, two] = [
      await ada.post('/v1/oracle/kept', undefined, headers),
      await ada.post('/v1/oracle/kept', undefined, headers)
    ]
    t.match(one, { status: 200 })
    t.same(two.body, one.body)
    t.match(
      await ada.post('/v1/oracle/kept', undefined, { ...headers, 'idempotency-key': 'else' }),
      refused('payment_used')
    )
    t.match(await anyone.post('/v1/oracle/kept', undefined, headers), { status: 401 })
  })

  t.test('who was there before us has paid us all the same', async (t) => {
    const shown = await payment()
    await platform.knex('wallets.charge').where({ payer: stranger.address, status: 'settled' }).delete()
    t.match(await get('other', shown), { status: 200 })
    // As after a crash: taken, and not written down.
    const nonce = payer.lastNonce()
    await platform
      .knex('wallets.charge')
      .where({ nonce })
      .update({ status: 'settling', instance: null, usedAt: null })
    const amount = await earned(async () => t.match(await get('other', shown), { status: 200 }))
    t.equal(amount, 0n)
  })

  t.test('a facilitator takes it, and is believed what the chain says', async (t) => {
    const official = facilitatorOf(chain, network)
    const said: Any[] = []
    let lie = false
    const server = createServer(async (request, reply) => {
      const text = (await request.toArray()).join('')
      const { paymentPayload, paymentRequirements } = JSON.parse(text)
      said.push(request.url)
      const result = lie
        ? { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:84532' }
        : await official(paymentPayload, paymentRequirements)
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    const facilitator = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    t.match(await set({ facilitator }), { status: 200 })
    const amount = await earned(async () => {
      t.match((await buy('forecast')).body.data, { answer: { status: 200 }, receipt: { success: true } })
      t.match(await get('forecast', await payment({ version: 1 })), { status: 200 })
      const before = await asked()
      lie = true
      t.match(await get('forecast', await payment()), refused('payment_failed'))
      t.equal(await asked(), before)
    })
    t.equal(amount, 20_000n)
    t.same([...new Set(said)], ['/settle'])
  })
})
