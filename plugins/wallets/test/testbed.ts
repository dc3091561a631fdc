import type { BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { TestChain } from '../../../test/chain/chain.ts'
import { startChain } from '../../../test/chain/chain.ts'
import type { Client } from '../../../test/client.ts'
import { until } from '../../../test/packs/stage.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every form
export type Any = any

/** What a platform is told of these chains. */
export const envOf = (...networks: object[]) => ({
  WALLET_NETWORKS: JSON.stringify(networks),
  SENSITIVE_LIMIT_PER_MINUTE: '1000000',
  OUTGOING_ALLOW: '127.0.0.1'
})

/** A platform whose wallets are on a chain of its own. */
export async function stage(t: Scope, network: object = {}, packs: string[] = [], options: BootOptions = {}) {
  const chain = await startChain(t)
  const env = { ...envOf({ ...chain.network, ...network }), ...options.env }
  const booted = await boot(t, 'wallets', ...packs, { ...options, env })
  return { ...booted, booted, chain }
}

export const open = {
  stablecoin: { maxPerPayment: null, maxPerDay: null, approvalAbove: null },
  native: { maxPerPayment: null, maxPerDay: null, approvalAbove: null },
  recipients: null,
  hosts: null
}

/** A wallet for an agent, with so many coins and dollars in it. */
export async function walletOf(
  client: Client,
  chain: TestChain,
  { coins = 10n ** 18n, dollars = 100n, ...fields }: Any = {}
): Promise<Any> {
  const agentId = fields.agentId ?? (await client.agent()).id
  const { status, body } = await client.post('/v1/wallets', { agentId, ...fields })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  if (coins) await chain.give(body.data.address, coins)
  if (dollars) await chain.mint(body.data.address, dollars * 1_000_000n)
  return body.data
}

/** A payment that was begun. */
export async function pay(
  client: Client,
  wallet: Any,
  body: object,
  headers: Record<string, string> = {}
): Promise<Any> {
  const reply = await client.post(`/v1/wallets/${wallet.id}/transfer`, body, headers)
  if (reply.status !== 201) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

/** The payment when it has ended. */
export const ended = (client: Client, { id, walletId }: Any): Promise<Any> =>
  until(
    async () => (await client.get(`/v1/wallets/${walletId}/transfers/${id}`)).body.data,
    ({ status }) => status !== 'pending'
  )
