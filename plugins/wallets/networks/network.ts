import { Closed, Name } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { getAddress, isAddress } from 'viem/utils'
import type { Asset } from '../amounts.ts'

const symbol = Type.String({ pattern: '^[\\x21-\\x7e]{1,20}$' })
const decimals = Type.Integer({ minimum: 0, maximum: 36 })
const gwei = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,9})?$' })

const Given = Closed({
  id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$' }),
  chainId: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  rpcUrl: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
  /** As version 1 of x402 names it; default: its `id`. */
  x402Name: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,64}$' })),
  native: Type.Optional(Closed({ symbol, decimals: Type.Optional(decimals) })),
  stablecoin: Type.Optional(
    Closed({
      address: Type.String(),
      symbol,
      decimals,
      /** Of its EIP-712 domain. */
      name: Name(),
      version: Type.String({ minLength: 1, maxLength: 20 })
    })
  ),
  confirmations: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  /** Above which nothing is sent. */
  maxFeeGwei: Type.Optional(gwei),
  /** After which a transaction that is not mined is sent anew with a higher fee. */
  stuckSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  pollSeconds: Type.Optional(Type.Number({ minimum: 0.1, maximum: 600 })),
  /** The contract of the Ethereum Attestation Service, by which anchors are written; default: plain transactions. */
  eas: Type.Optional(Type.String()),
  explorer: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 500 }))
})

const defaults = {
  native: { symbol: 'ETH', decimals: 18 },
  confirmations: 3,
  maxFeeGwei: '200',
  stuckSeconds: 90,
  pollSeconds: 4
}

/** A chain, and how it is reached and used. */
export type Network = ReturnType<typeof networkOf>
type Given = Static<typeof Given>

function networkOf(given: Given) {
  const { native, stablecoin, ...rest } = given
  return {
    ...defaults,
    ...rest,
    x402Name: given.x402Name ?? given.id,
    native: { ...defaults.native, ...native },
    stablecoin: stablecoin && { ...stablecoin, address: getAddress(stablecoin.address) },
    eas: given.eas === undefined ? undefined : getAddress(given.eas),
    explorer: given.explorer?.replace(/\/$/, '') ?? null
  }
}

/** Reads the setting. Fails with what is wrong with it; addresses of RPC servers, which may hold keys, are not repeated. */
export function readNetworks(text: string | undefined): readonly Network[] {
  if (!text) return []
  const list = parse(text)
  const seen = new Set<string>()
  return list.map((given, index) => {
    const [fault] = Value.Errors(Given, given)
    if (fault) throw new Error(`WALLET_NETWORKS: ${index}${fault.instancePath} ${fault.message}`)
    const valid = given as Given
    if (valid.stablecoin && !isAddress(valid.stablecoin.address))
      throw new Error(`WALLET_NETWORKS: ${index}/stablecoin/address is no address`)
    if (valid.eas !== undefined && !isAddress(valid.eas))
      throw new Error(`WALLET_NETWORKS: ${index}/eas is no address`)
    if (seen.has(valid.id)) throw new Error(`WALLET_NETWORKS: ${valid.id} stands there twice`)
    seen.add(valid.id)
    return networkOf(valid)
  })
}

function parse(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {
    // Said below, without the text.
  }
  throw new Error('WALLET_NETWORKS must be a JSON list')
}

/** Undefined where the network has no stablecoin. */
export const assetOf = (network: Network, asset: Asset): { symbol: string; decimals: number } | undefined =>
  asset === 'native' ? network.native : network.stablecoin
