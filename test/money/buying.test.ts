// budget: 15 s, because a plan, a payment on a chain, a cap and a proof need a platform with all that
// tier: whole
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { make, setPrice, town } from '../../plugins/credits/test/testbed.ts'
import { bundleOf, got } from '../../plugins/provenance/test/testbed.ts'
import { openShop } from '../../plugins/wallets/test/shop-testbed.ts'
import type { Any } from '../../plugins/wallets/test/testbed.ts'
import { ended, envOf, open, walletOf } from '../../plugins/wallets/test/testbed.ts'
import { startChain } from '../chain/chain.ts'
import { until } from '../packs/stage.ts'

const plan = { key: 'pro', name: 'Pro', price: 1_900, currency: 'eur', interval: 'month', credits: '10' }
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const canonical = (value: Any): string =>
  Array.isArray(value)
    ? `[${value.map(canonical)}]`
    : value && typeof value === 'object'
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`
      : JSON.stringify(value)

/** By openssl, and by the tree of RFC 6962: what the platform says of itself is not asked. */
function verify(folder: string, { bundle, items }: Any, pem: string): boolean {
  const { payload, payloadType, signatures } = bundle.dsseEnvelope
  const body = Buffer.from(payload, 'base64')
  const start = `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `
  writeFileSync(join(folder, 'key.pem'), pem)
  writeFileSync(join(folder, 'signed.bin'), Buffer.concat([Buffer.from(start), body]))
  writeFileSync(join(folder, 'signature.bin'), Buffer.from(signatures[0].sig, 'base64'))
  const args = '-verify -pubin -inkey key.pem -rawin -in signed.bin -sigfile signature.bin'.split(' ')
  execFileSync('openssl', ['pkeyutl', ...args], { cwd: folder, stdio: 'ignore' })
  let level: Buffer[] = items.map((item: Any) => sha256(Buffer.from([0]), Buffer.from(canonical(item))))
  while (level.length > 1)
    level = level.flatMap((node, at) => {
      const next = level[at + 1]
      if (at % 2 === 1) return []
      return [next ? sha256(Buffer.from([1]), node, next) : node]
    })
  return level[0]?.toString('hex') === JSON.parse(body.toString()).predicate.tree.root
}

t.test(
  'a plan is bought; an agent pays for an answer, is refused at its cap, and its session is proved',
  async (t) => {
    const chain = await startChain(t, '--chain-id', '84532')
    const shop = await openShop(t, chain, { chainId: 84_532, name: 'base-sepolia' })
    const network = {
      ...chain.network,
      id: 'base',
      chainId: 84_532,
      x402Name: 'base-sepolia',
      pollSeconds: 0.2
    }
    const env = { ...envOf(network), BILLING_PLANS: JSON.stringify([plan]) }
    const { as, root, settled } = await town(t, { env } as object, 'billing', 'wallets', 'provenance')
    const ada = as('ada')

    // The plan, which brings credits once it is paid.
    const checkout = (await ada.post('/v1/billing/checkout/subscription', { planKey: 'pro' })).body.data
    t.match(await got(ada, '/v1/credits/balance'), { balance: '0' })
    const invoices = (await root.get('/v1/billing/invoices?status=open&all=true')).body.data
    t.match(invoices, [{ amount: 1_900, status: 'open' }])
    t.equal((await root.post(`/v1/billing/invoices/${invoices[0].id}/pay`)).status, 200)
    t.match(await got(ada, `/v1/billing/checkouts/${checkout.id}`), { status: 'completed' })
    t.match(await got(ada, '/v1/billing/subscription'), { status: 'active', plan: { key: 'pro' } })
    await until(
      () => got(ada, '/v1/credits/balance'),
      ({ balance }) => balance === '10'
    )

    // An agent with a wallet, a tool that costs a credit, and a cap that lets it have that once.
    await setPrice(root, 'tool', 'x402_fetch', { call: '1' })
    const wallet = await walletOf(ada, chain, { policy: open, coins: 0n, dollars: 1n })
    const { agentId } = wallet
    await ada.put(`/v1/agents/${agentId}`, { modelProvider: 'local' })
    await make(ada, `/v1/agents/${agentId}/tools`, { toolId: 'x402_fetch' })
    await make(ada, '/v1/credits/caps', { agentId, period: 'day', limit: '1.5' })
    const order = `/call x402_fetch ${JSON.stringify({ url: `${shop.url}/v2`, maxAmount: '0.02' })}`
    const ask = (fields: object = {}) =>
      ada.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: order }], ...fields })

    const first = await ask({ provenance: { mode: 'full' } })
    t.equal(first.status, 200, first.text.slice(0, 300))
    const bought = first.body.data
    t.match(bought, { status: 'completed', content: /paid/ })
    const [payment] = (await ada.get(`/v1/wallets/${wallet.id}/transfers`)).body.data
    t.match(await ended(ada, payment), { kind: 'x402', amount: '0.01', status: 'confirmed' })
    t.equal(await chain.tokens(chain.merchant), 10_000n)
    await settled()
    const spent = 10 - Number((await got(ada, '/v1/credits/balance')).balance)
    t.ok(spent >= 1 && spent < 1.5, `a call, and what the model said: ${spent}`)

    // What is left of the cap is less than another call.
    const { sessionId } = bought
    const again = await ask({ sessionId })
    await settled()
    t.match(again.body.data, { status: 'completed', content: /costs 1 credits, which are not left/ })
    t.equal(await chain.tokens(chain.merchant), 10_000n, 'nothing more was paid')
    t.equal(shop.state.settled, 1)

    // What the answer was made of, checked without the platform.
    const folder = mkdtempSync(join(tmpdir(), 'agent-platform-proof-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    await until(
      () => got(ada, `/v1/provenance/sessions/${sessionId}`),
      (report) => JSON.stringify(report).includes(bought.id)
    )
    const { data, pem } = await bundleOf(ada, sessionId)
    t.match(JSON.stringify(data.items), /x402_fetch/)
    t.ok(verify(folder, data, pem))
    const forged = structuredClone(data)
    const item = forged.items.find((it: Any) => JSON.stringify(it).includes('x402_fetch'))
    item.toolName = 'calculator'
    t.notOk(verify(folder, forged, pem), 'another tool is found out')
  }
)
