// budget: 10 s, because an instance is killed, a process of its own, and a chain is waited for
// tier: whole
import t from 'tap'
import { verifyBundle } from '../../../cli/provenance/verify.ts'
import { boot } from '../../../test/boot.ts'
import { startChain } from '../../../test/chain/chain.ts'
import { commands } from '../../../test/cli/command.ts'
import { createClient } from '../../../test/client.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import type { Any } from './testbed.ts'
import { bundleOf } from './testbed.ts'

t.setTimeout(180_000)

/** As EAS does: keeps the time of 32 bytes, once. Whatever it is called with, it takes to be `timestamp(bytes32)`. */
const EAS = '0x60118060095f395ff36004358054600c57429055005b600080fd'

t.test('bundles are anchored on a chain, many by one transaction, and once', async (t) => {
  const chain = await startChain(t)
  const networks = [{ ...chain.network, pollSeconds: 0.2 }]
  // It is asked until something has come of it.
  const limits = Object.fromEntries(
    ['GATEWAY', 'PLATFORM', 'SENSITIVE'].map((name) => [`${name}_LIMIT_PER_MINUTE`, '1000000'])
  )
  const wallets = { ...limits, WALLET_NETWORKS: JSON.stringify(networks), OUTGOING_ALLOW: '127.0.0.1' }
  const first = await boot(t, 'provenance', 'wallets', 'models', { env: wallets })
  const ada = first.as('ada')
  const { id: agentId } = await ada.agent({ modelProvider: 'local' })
  const runOf = async (words: string): Promise<Any> => {
    const messages = [{ role: 'user', content: words }]
    return (await ada.post('/v1/agents/run', { agentId, messages })).body.data
  }
  const [one, two, three] = [await runOf('one'), await runOf('two'), await runOf('three')]
  await first.settled()
  const anchorOf = (traceId: string) => `/v1/provenance/traces/${traceId}/anchor`
  t.match(await ada.post(anchorOf(one.id)), {
    status: 503,
    body: { error: { code: 'anchoring_not_configured' } }
  })

  const operator = (await ada.post('/v1/wallets', { agentId })).body.data
  await chain.give(operator.address, 10n ** 18n)
  const [rich] = await chain.ask('eth_accounts')
  const { contractAddress: eas } = await chain.mined(
    await chain.ask('eth_sendTransaction', [{ from: rich, data: EAS }])
  )
  const env = { ...wallets, WALLET_OPERATOR: operator.id, PROVENANCE_ANCHOR_SECONDS: '2' }
  const withEas = { ...env, WALLET_NETWORKS: JSON.stringify(networks.map((it) => ({ ...it, eas }))) }
  await first.close()
  const packs = [
    'access',
    'packs',
    'agents',
    'outgoing',
    'models',
    'sessions',
    'jobs',
    'runs',
    'wallets',
    'provenance'
  ]
  const booted = await boot(t, { packs, env: withEas, beside: first })
  const asking = booted.as('ada')
  t.match(await booted.as('eve').post(anchorOf(one.id)), { status: 403 })
  t.match(await asking.post(anchorOf('run_nope')), { status: 404 })

  const onchain = async (provenance: object) =>
    asking.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: 'four' }], provenance })
  t.match(await onchain({ mode: 'off', onchain: true }), {
    status: 400,
    body: { error: { param: '/provenance/onchain' } }
  })
  const four = (await onchain({ onchain: true })).body.data

  const pending = (await asking.post(anchorOf(one.id))).body.data
  t.match(pending, { traceId: one.id, status: 'pending', root: /^[0-9a-f]{64}$/ })
  await asking.post(anchorOf(two.id))
  t.same((await asking.post(anchorOf(one.id))).body.data.id, pending.id, 'once')
  const sent = async () => Number(await chain.ask('eth_getTransactionCount', [operator.address, 'latest']))
  const folder = await temporaryFolder(t)
  const { call } = commands({})
  const check = (name: string, ...more: string[]) =>
    call('provenance', 'verify', `${folder}/${name}`, '--key', `${folder}/key.pem`, ...more)
  const anchored = async (id: string) => {
    const { data, pem } = await until(
      () => bundleOf(asking, id),
      ({ data }) => data.anchor !== undefined
    )
    await writeFiles(folder, { 'bundle.json': JSON.stringify({ data }), 'key.pem': pem })
    return { data, pem }
  }
  // What a run asked for itself, and what was asked for afterwards.
  for (const { id } of [four, one, two]) {
    const { data, pem } = await anchored(id)
    const { transaction, contract, block } = data.anchor
    t.equal(contract.toLowerCase(), eas)
    t.match(verifyBundle(JSON.stringify(data), pem), { faults: [], anchor: { transaction } })
    const told = await check('bundle.json', '--rpc', chain.url)
    t.match(told, { code: 0, out: `block ${block} of chain 31337 has it, in ${transaction} from` })
  }
  const before = await sent()
  t.ok(before <= 3, `${before} transactions`)

  const { data, pem } = await anchored(one.id)
  const offline = await check('bundle.json')
  t.match(offline, { code: 0, out: 'of chain 31337, which was not looked at: --rpc does' })
  const forged = async (change: (anchor: Any) => unknown) => {
    const copy = structuredClone(data)
    change(copy.anchor)
    await writeFiles(folder, { 'forged.json': JSON.stringify(copy) })
    const { faults } = verifyBundle(JSON.stringify(copy), pem)
    return [...faults.map(({ code }) => code), (await check('forged.json', '--rpc', chain.url)).err]
  }
  const other = (hex: string) => hex.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  t.match(await forged((it) => Object.assign(it, { root: other(it.root) })), ['unanchored', /another root/])
  t.match(await forged(({ batch }) => Object.assign(batch, { root: other(batch.root) })), [
    'unanchored',
    /does not lead/
  ])
  t.match(await forged((it) => Object.assign(it, { transaction: 7 })), ['malformed', /not whole/])
  // What only the chain can tell.
  t.match(await forged((it) => Object.assign(it, { chainId: 1 })), [/serves 31337/])
  t.match(await forged((it) => Object.assign(it, { transaction: other(it.transaction) })), [/no transaction/])
  t.match(await forged((it) => Object.assign(it, { contract: null })), [/other data/])
  t.match(await forged((it) => Object.assign(it, { contract: operator.address })), [/other data/])
  const { anchor: _, ...without } = data
  await writeFiles(folder, { 'without.json': JSON.stringify(without) })
  t.match(await check('without.json', '--rpc', chain.url), { code: 1, err: 'unanchored: It has no anchor' })
  const secret = await check('bundle.json', '--rpc', 'http://127.0.0.1:1/secret')
  t.match(secret, { code: 1, err: /does not answer/ })
  t.notMatch(secret.err, 'secret')

  // An instance that is killed between the tree and its transaction, or after it.
  await booted.close()
  // Looks on, and does nothing.
  const { platform } = await boot(t, { packs: ['access'], beside: first })
  const victim = await startPlatform(t, first.connection, [], packs, {
    ...env,
    PROVENANCE_ANCHOR_SECONDS: '1'
  })
  await victim.ready
  const headers = { authorization: `Bearer ${await ada.key()}` }
  const reply = await fetch(`${victim.url}${anchorOf(three.id)}`, { method: 'POST', headers })
  t.equal(reply.status, 200, await reply.text())
  const row = () => platform.knex('provenance.anchor').where({ traceId: three.id }).first()
  await until(row, (it: Any) => it?.batch !== null && it?.batch !== undefined)
  await victim.kill()
  const next = await startPlatform(t, first.connection, [], packs, env)
  await next.ready
  const last = await until(row, ({ status }: Any) => status === 'confirmed')
  t.equal(await sent(), before + 1, 'by one transaction')
  t.match(last, { contract: null, block: Number(await chain.ask('eth_blockNumber')) })
  const there = createClient(next.url, 'ada', await ada.key())
  const plain = await bundleOf(there, three.id)
  await writeFiles(folder, { 'plain.json': JSON.stringify(plain.data), 'key.pem': plain.pem })
  t.match(await check('plain.json', '--rpc', chain.url), { code: 0, out: `in ${last.transaction}` })
})
