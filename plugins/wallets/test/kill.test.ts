// budget: 20 s, because instances are killed, each a process of its own
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import { startChain } from '../../../test/chain/chain.ts'
import { createClient } from '../../../test/client.ts'
import { database } from '../../../test/database.ts'
import { migrated } from '../../../test/migrated.ts'
import { packText, temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import { proxyOf } from '../../../test/proxy.ts'
import { rounds } from '../../../test/rounds.ts'
import { randomOf, seed } from '../../../test/seed.ts'
import { payerOf } from './charging-testbed.ts'
import { openShop } from './shop-testbed.ts'
import type { Any } from './testbed.ts'
import { ended, envOf, open, stage, walletOf } from './testbed.ts'

/** Said until a killed process is known to be dead, and while nobody knows what became of its payment. */
const passing = ['idempotency_in_progress', 'payment_outcome_unknown']
const KILLS = rounds(2, 20)
const PAYMENTS = 12
t.setTimeout(rounds(300_000, 3_600_000))

t.test(`kill -9 while payments are signed and sent, ${KILLS} times (SEED=${seed})`, async (t) => {
  const random = randomOf(seed)
  const { booted, as, chain, platform } = await stage(t, { pollSeconds: 0.5 })
  const ada = as('ada')
  const to = chain.merchant
  const wallet = await walletOf(ada, chain, { policy: open, dollars: 10_000n })
  const path = `/v1/wallets/${wallet.id}/transfer`
  const packs = ['agents', 'jobs', 'outgoing', 'wallets']
  const env = envOf({ ...chain.network, pollSeconds: 0.5 })
  let next = startPlatform(t, booted.connection, [], packs, env)
  const asked = new Map<string, object>()
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await next
    await victim.ready
    if (kill < KILLS) next = startPlatform(t, booted.connection, [], packs, env)
    const there = createClient(victim.url, 'ada', await ada.key())
    let answered = 0
    const replies = Array.from({ length: PAYMENTS }, async (_, index) => {
      const [key, body] = [`${kill}-${index}`, { to, amount: `0.${10 + random(80)}` }]
      asked.set(key, body)
      await there.post(path, body, { 'idempotency-key': key }).catch(() => undefined)
      answered++
    })
    const enough = random(PAYMENTS)
    await until(
      async () => answered,
      (n) => n >= enough
    )
    await delay(random(20))
    await victim.kill()
    await Promise.all(replies)
  }
  const before = await platform.knex('wallets.transfer').select('requestKey')
  let units = 0n
  for (const [key, body] of asked) {
    const reply = await ada.post(path, body, { 'idempotency-key': key })
    t.equal(reply.status, 201, `${key}: ${JSON.stringify(reply.body)}`)
    units += BigInt(reply.body.data.minorUnits)
    t.match(await ended(ada, reply.body.data), { status: 'confirmed' })
  }
  const rows = await platform.knex('wallets.transfer').select('nonce')
  t.ok(before.length <= asked.size)
  t.equal(rows.length, asked.size, 'each was made once')
  t.equal(new Set(rows.map(({ nonce }) => nonce)).size, asked.size, 'with a nonce of its own')
  t.equal(await chain.tokens(to), units, 'and each was paid once')
})

t.test(`kill -9, and cuts, while answers are paid for by x402, ${KILLS} times each`, async (t) => {
  const random = randomOf(seed + 1)
  // Also without transactions there are blocks, by which time goes on there.
  const chain = await startChain(t, '--block-time', '1', '--mixed-mining')
  const shop = await openShop(t, chain, { chainId: 31_337, name: 'anvil' })
  const env = envOf({ ...chain.network, pollSeconds: 0.5 })
  const { connection } = await database(t, migrated())
  const { way, connection: behind } = await proxyOf(t, connection)
  const booted = await boot(t, 'wallets', { env, beside: { connection: behind } as Booted })
  const ada = booted.as('ada')
  const wallet = await walletOf(ada, chain, { policy: open, coins: 0n })
  const path = `/v1/wallets/agent/${wallet.agentId}/x402-fetch`
  const body = { url: `${shop.url}/v2` }
  const packs = ['agents', 'jobs', 'outgoing', 'wallets']
  const start = () => startPlatform(t, connection, [], packs, env)
  let next = start()
  const keys: string[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await next
    await victim.ready
    if (kill < KILLS) next = start()
    const there = createClient(victim.url, 'ada', await ada.key())
    const before = shop.state.requests
    const replies = Array.from({ length: 6 }, async (_, index) => {
      keys.push(`${kill}-${index}`)
      await there.post(path, body, { 'idempotency-key': `${kill}-${index}` }).catch(() => undefined)
    })
    const enough = before + random(13)
    let isOver = false
    const all = Promise.all(replies).then(() => {
      isOver = true
    })
    // One that is refused asks no more, and is asked for again at the end.
    await until(
      async () => shop.state.requests,
      (n) => isOver || n >= enough
    )
    await delay(random(20))
    await victim.kill()
    await all
  }
  // The database is cut between a payment and its record.
  for (let cut = 1; cut <= KILLS; cut++) {
    const before = shop.state.requests
    const replies = Array.from({ length: 4 }, async (_, index) => {
      keys.push(`cut-${cut}-${index}`)
      await ada.post(path, body, { 'idempotency-key': `cut-${cut}-${index}` }).catch(() => undefined)
    })
    const enough = before + random(9)
    let isOver = false
    const all = Promise.all(replies).then(() => {
      isOver = true
    })
    await until(
      async () => shop.state.requests,
      (n) => isOver || n >= enough
    )
    way.cut()
    await delay(random(50))
    way.mend()
    await all
  }
  for (const key of keys) {
    // A payment that was signed, and not shown while it was good, is given up once a block says so.
    const reply = await until(
      () => ada.post(path, body, { 'idempotency-key': key }),
      ({ body }) => !passing.includes(body.error?.code)
    )
    t.match(
      reply,
      { status: 200, body: { data: { answer: { body: '{"joke":"paid"}' } } } },
      `${key}: ${reply.text}`
    )
    t.match(await ended(ada, reply.body.data.payment), { status: 'confirmed' })
  }
  t.equal(await chain.tokens(chain.merchant), BigInt(keys.length) * 10_000n, 'each was paid once')
})

/** A pack whose route costs something. */
const oracle = packText(
  'oracle',
  `requires: ['wallets'],
  routes(app, { wallets }) {
    const schema = { tags: ['oracle'], summary: 'A forecast' }
    const config = { by: 'public', failures: ['paymentRequired'] }
    app.get('/oracle/forecast', { schema, config, ...wallets.charge({ amount: '0.01' }) }, async () => ({ data: { rain: true } }))
  }`
)

t.test(`kill -9 while answers of the platform are paid for, ${KILLS} times`, async (t) => {
  const random = randomOf(seed + 2)
  const chain = await startChain(t)
  const settings = { ...chain.network, pollSeconds: 0.5 }
  const folders = [await writeFiles(await temporaryFolder(t), { 'oracle/pack.ts': oracle })]
  const env = envOf(settings)
  const booted = await boot(t, 'wallets', 'oracle', 'packs', { env, folders })
  const till = await walletOf(booted.as('owner'), chain, { dollars: 0n })
  const set = await booted.admin.put('/v1/packs/wallets', { settings: { operator: till.id } })
  t.equal(set.status, 200, set.text)
  const payer = await payerOf(chain, settings)
  const packs = ['packs', 'agents', 'jobs', 'outgoing', 'wallets', 'oracle']
  const start = () => startPlatform(t, booted.connection, folders, packs, env)
  const ask = async (url: string, headers: Record<string, string>) => {
    const reply = await fetch(`${url}/v1/oracle/forecast`, { headers })
    return { status: reply.status, code: ((await reply.json()) as Any).error?.code }
  }
  let next = start()
  const shown: { headers: Record<string, string>; answers: number }[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = await next
    await victim.ready
    if (kill < KILLS) next = start()
    const turn = await Promise.all(
      Array.from({ length: 4 }, async () => ({
        headers: await payer.payment({ to: till.address }),
        answers: 0
      }))
    )
    shown.push(...turn)
    let taken = 0
    const replies = turn.map(async (one) => {
      const reply = await ask(victim.url, one.headers).catch(() => undefined)
      if (reply?.status === 200) one.answers++
      taken++
    })
    // Before the payments are written down, while they are on their way, and when some are answered.
    const enough = random(3)
    const begun = () => booted.platform.knex('wallets.charge').pluck('id')
    await until(begun, ({ length }) => length > shown.length - turn.length || taken > 0)
    await until(
      async () => taken,
      (n) => n >= enough
    )
    await delay(random(60))
    await victim.kill()
    await Promise.all(replies)
  }
  for (const one of shown) {
    // Another instance may have it, as far as is known, and a transaction may be on its way.
    const { status, code } = await until(
      () => ask(booted.url, one.headers),
      ({ code }) => code !== 'payment_in_progress' && code !== 'payment_pending'
    )
    if (status === 200) one.answers++
    t.ok(status === 200 || code === 'payment_used', `${status} ${code}`)
    t.ok(one.answers <= 1, 'good for one answer')
    t.match(await ask(booted.url, one.headers), { status: 402, code: 'payment_used' })
  }
  const rows = await booted.platform.knex('wallets.charge').select('status')
  t.same(rows, Array(shown.length).fill({ status: 'used' }))
  t.equal(await chain.tokens(till.address), BigInt(shown.length) * 10_000n, 'each was paid once')
})
