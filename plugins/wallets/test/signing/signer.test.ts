// budget: 5 s, because a signer on another server is waited for
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { boot } from '../../../../test/boot.ts'
import { startChain } from '../../../../test/chain/chain.ts'
import { packText, temporaryFolder, writeFiles } from '../../../../test/pack-folders.ts'
import type { Any } from '../testbed.ts'
import { ended, envOf, open, pay, walletOf } from '../testbed.ts'

t.test('keys that are kept elsewhere', async (t) => {
  const keys = new Map<string, Hex>()
  const asked: Any[] = []
  const state = { mood: 'honest' }
  const server = createServer(async (request, reply) => {
    const { path = request.url, ...body } = JSON.parse((await request.toArray()).join(''))
    asked.push({ path, ...body })
    const say = (status: number, said: object) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    if (state.mood === 'silent') return
    if (state.mood === 'unwilling') return say(403, { secret: 'of the module' })
    if (path === '/create') {
      const key = generatePrivateKey()
      keys.set(body.walletId, key)
      return say(200, { address: state.mood === 'confused' ? 'nowhere' : privateKeyToAddress(key) })
    }
    const privateKey = state.mood === 'other' ? generatePrivateKey() : (keys.get(body.walletId) as Hex)
    const signature = await sign({ hash: body.digest, privateKey, to: 'hex' })
    if (state.mood === 'garbled') return say(200, { signature: signature.slice(0, -2) })
    say(200, { signature })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const vaulted = packText(
    'vaulted',
    `contributes: { 'wallets.signer': [{ key: 'vaulted', make: () => {
      const ask = async (path, body) => {
        const reply = await fetch('${url}' + path, { method: 'POST', body: JSON.stringify(body) })
        if (!reply.ok) throw new Error('The module said ' + (await reply.text()))
        return reply.json()
      }
      return {
        create: async (place) => (await ask('/create', place)).address,
        sign: async (place, digest) => (await ask('/sign', { ...place, digest })).signature
      }
    } }] }`
  )
  const chain = await startChain(t)
  const folder = await writeFiles(await temporaryFolder(t), { 'vaulted/pack.ts': vaulted })
  const env = {
    ...envOf({ ...chain.network, pollSeconds: 0.2 }),
    ...{ WALLET_SIGNER: 'vaulted', WALLET_SIGNER_SECONDS: '1' }
  }
  const { as, platform } = await boot(t, 'wallets', 'vaulted', { env, folders: [folder] })
  const ada = as('ada')
  const to = chain.merchant
  const wallet = await walletOf(ada, chain, { policy: open })
  const path = `/v1/wallets/${wallet.id}/transfer`
  const failed = (status: number) => ({ status, body: { error: { code: 'signer_failed' } } })
  const signed = () => asked.filter((it) => it.path === '/sign').length

  t.test('sign what the policy allows, and nothing of it is here', async (t) => {
    t.match(wallet, { signer: 'vaulted', address: privateKeyToAddress(keys.get(wallet.id) as Hex) })
    t.same(await platform.knex('wallets.key'), [])
    t.match(await ended(ada, await pay(ada, wallet, { to, amount: '1' })), { status: 'confirmed' })
    t.equal(await chain.tokens(to), 1_000_000n)
    t.match(asked.at(-1), {
      path: '/sign',
      walletId: wallet.id,
      project: 'default',
      digest: /^0x[0-9a-f]{64}$/
    })
    const before = signed()
    const limits = { maxPerPayment: '1', maxPerDay: null, approvalAbove: null }
    const capped = await walletOf(ada, chain, { policy: { ...open, stablecoin: limits } })
    t.match(await ada.post(`/v1/wallets/${capped.id}/transfer`, { to, amount: '2' }), { status: 402 })
    t.equal(signed(), before, 'it is not asked about what is refused')
  })

  t.test('fail in every way without an effect, and go on', async (t) => {
    const before = await platform.knex('wallets.transfer')
    const moods: [string, number][] = [
      ['unwilling', 502],
      ['other', 502],
      ['garbled', 502],
      ['silent', 504]
    ]
    for (const [mood, status] of moods) {
      state.mood = mood
      const reply = await ada.post(path, { to, amount: '1' }, { 'idempotency-key': 'one' })
      t.match(reply, failed(status), mood)
      t.notMatch(reply.text, /module/, 'what it says is not for callers')
    }
    t.same(await platform.knex('wallets.transfer'), before, 'nothing is written down, and no nonce is lost')
    state.mood = 'honest'
    const made = await ada.post(path, { to, amount: '1' }, { 'idempotency-key': 'one' })
    t.match(await ended(ada, made.body.data), { status: 'confirmed' })
    const again = signed()
    t.match(await ada.post(path, { to, amount: '1' }, { 'idempotency-key': 'one' }), { status: 201 })
    t.equal(signed(), again, 'what is signed is not signed again')
    t.equal(await chain.tokens(to), 2_000_000n)
  })

  t.test('are not made by one that gives no address', async (t) => {
    const agent = await ada.agent()
    for (const [mood, status] of [
      ['confused', 502],
      ['unwilling', 502],
      ['silent', 504]
    ] as const) {
      state.mood = mood
      t.match(await ada.post('/v1/wallets', { agentId: agent.id }), failed(status), mood)
    }
    t.same((await ada.get(`/v1/wallets/agent/${agent.id}`)).body.data, [])
  })
})
