import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { open, stage, walletOf } from './testbed.ts'

t.test('wallets of agents', async (t) => {
  const { as, chain, platform } = await stage(t)
  const ada = as('ada')
  const agent = await ada.agent()
  const made = await ada.post('/v1/wallets', { agentId: agent.id, name: 'Shopping' })
  t.equal(made.status, 201)
  const wallet = made.body.data
  const path = `/v1/wallets/${wallet.id}`
  t.match(wallet, {
    ...{ owner: ada.id, agentId: agent.id, network: 'anvil', chainId: 31_337, signer: 'local' },
    ...{ primary: true, status: 'active', frozen: false, version: 1 },
    address: /^0x[0-9a-fA-F]{40}$/
  })

  t.test('are shown to their owner and their agent', async (t) => {
    t.same((await ada.get(path)).body.data, wallet)
    const itself = as(agent.id, { type: 'agent', owner: ada.id })
    t.match(await itself.get(path), { status: 200 })
    t.match(await itself.post('/v1/wallets', { agentId: agent.id }), { status: 403 }, 'it makes none')
    t.match(await itself.patch(path, { frozen: false }), { status: 403 }, 'and widens nothing')
    t.match(await itself.delete(path), { status: 403 })
    for (const at of [path, `${path}/balance`]) {
      t.match(await as('eve').get(at), { status: 403 })
      t.match(await ada.get(at.replace(wallet.id, 'wallet_nope')), { status: 404 })
    }
    const ofAgent = `/v1/wallets/agent/${agent.id}`
    for (const at of [ofAgent, `${ofAgent}/primary`]) {
      t.match(await as('eve').get(at), { status: 403 })
      t.match(await ada.get(at.replace(agent.id, 'agent_nope')), { status: 404 })
    }
    t.same((await ada.get(`${ofAgent}/primary`)).body.data, wallet)
    t.match(await ada.get(`/v1/wallets/agent/${(await ada.agent()).id}/primary`), { status: 404 })
  })

  t.test('are refused where something is wrong', async (t) => {
    const post = (fields: object) => ada.post('/v1/wallets', { agentId: agent.id, ...fields })
    t.match(await post({ agentId: 'agent_nope' }), { status: 404, body: { error: { param: '/agentId' } } })
    t.match(await as('eve').post('/v1/wallets', { agentId: agent.id }), { status: 403 })
    t.match(await post({ network: 'mars' }), { status: 400, body: { error: { param: '/network' } } })
    t.match(await post({ privateKey: '0x01' }), { status: 400, body: { error: { param: '/privateKey' } } })
    const policy = { ...open, stablecoin: { ...open.stablecoin, maxPerDay: '0.0000001' } }
    t.match(await post({ policy }), {
      status: 400,
      body: { error: { param: '/policy/stablecoin/maxPerDay' } }
    })
    t.match(await post({ policy: { ...open, recipients: ['0x1'] } }), { status: 400 })
  })

  t.test('have one primary among them', async (t) => {
    const second = await walletOf(ada, chain, { agentId: agent.id, coins: 0n, dollars: 0n })
    t.equal(second.primary, false)
    const wanted = await Promise.all(
      Array.from({ length: 4 }, () => ada.post('/v1/wallets', { agentId: agent.id, primary: true }))
    )
    t.ok(wanted.every(({ status }) => status === 201))
    const all = (await ada.get(`/v1/wallets/agent/${agent.id}`)).body.data
    t.equal(all.filter(({ primary }: { primary: boolean }) => primary).length, 1)
    t.match(await ada.patch(path, { primary: true }, { 'if-match': '"1"' }), {
      body: { data: { primary: true, version: 2 } }
    })
    t.match(await ada.patch(path, { frozen: true }, { 'if-match': '"1"' }), { status: 412 })
    t.match((await ada.get(`/v1/wallets/agent/${agent.id}/primary`)).body.data, { id: wallet.id })
    t.equal(new Set(all.map(({ address }: { address: string }) => address)).size, all.length)
    const page = await ada.get(`/v1/wallets?agentId=${agent.id}&limit=2`)
    t.equal(page.body.data.length, 2)
    t.ok(page.body.nextCursor)
    t.match(await as('eve').get(`/v1/wallets?agentId=${agent.id}`), { status: 403 })
  })

  t.test('hold what the chain says, and are not given up with that in them', async (t) => {
    await chain.give(wallet.address, 1_500_000_000_000_000_000n)
    await chain.mint(wallet.address, 12_345_678n)
    t.match((await ada.get(`${path}/balance`)).body.data, {
      native: { symbol: 'ETH', amount: '1.5', minorUnits: '1500000000000000000' },
      stablecoin: { symbol: 'TUSD', amount: '12.345678', minorUnits: '12345678', decimals: 6 }
    })
    t.match(await as('eve').delete(path), { status: 403 })
    t.match(await ada.delete(path), {
      status: 409,
      body: { error: { code: 'funds_remain', message: /12.345678 TUSD and 1.5 ETH/ } }
    })
    t.match(await ada.delete(`${path}?force=true`), { body: { data: { id: wallet.id, deleted: true } } })
    t.match((await ada.get(path)).body.data, {
      status: 'deactivated',
      primary: false,
      address: wallet.address
    })
    t.match(await ada.patch(path, { frozen: true }), { status: 409 })
    t.match(await ada.delete(path), { status: 200 }, 'again is the same')
  })

  t.test('keep their keys sealed, and tell them nowhere', async (t) => {
    const keys = await platform.knex('wallets.key')
    t.ok(keys.length > 0)
    for (const { sealed } of keys) t.match(sealed, /^v1\.dk_/)
    const facts = await platform.knex('kernel.fact').where('name', 'like', 'wallets.%')
    t.ok(facts.some(({ name }) => name === 'wallets.created'))
    t.notMatch(JSON.stringify(facts), /0x[0-9a-f]{64}|v1\.dk_/)
  })

  t.test('say what is wrong with a chain that is another one, or gone', async (t) => {
    const wallet = await walletOf(ada, chain, { coins: 0n, dollars: 0n })
    await chain.stop()
    t.match(await ada.get(`/v1/wallets/${wallet.id}/balance`), {
      status: 502,
      body: { error: { code: 'network_unreachable', message: 'The network anvil cannot be reached' } }
    })
    t.match(await ada.delete(`/v1/wallets/${wallet.id}`), { status: 502 }, 'who knows what is in it')
  })
})

t.test('without a network it says which setting to set', async (t) => {
  const { as } = await boot(t, 'wallets')
  const ada = as('ada')
  t.match(await ada.post('/v1/wallets', { agentId: (await ada.agent()).id }), {
    status: 503,
    body: { error: { code: 'networks_not_configured', message: /WALLET_NETWORKS/ } }
  })
})
