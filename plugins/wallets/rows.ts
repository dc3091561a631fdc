import type { Owned } from 'agent-platform'
import type { Address, Hex } from 'viem'
import type { Asset } from './amounts.ts'
import type { Wallet } from './schemas/wallets.ts'

export type WalletRow = Wallet & Owned & { readonly nextNonce: string }

/** As it is shown. */
export function shown({ project: _, nextNonce: __, ...wallet }: WalletRow): Wallet {
  return wallet
}

/** A payment, as it is kept. */
export interface TransferRow extends Owned {
  readonly id: string
  readonly agentId: string
  readonly walletId: string
  readonly kind: 'transfer' | 'x402' | 'anchor' | 'settlement'
  readonly asset: Asset
  readonly symbol: string
  readonly decimals: number
  readonly units: bigint
  readonly to: Address
  readonly host: string | null
  readonly network: string
  readonly chainId: number
  readonly status: 'pending' | 'confirmed' | 'failed' | 'replaced'
  readonly hash: Hex | null
  readonly nonce: number | null
  readonly failure: string | null
  readonly approved: boolean
  readonly untrusted: boolean
  readonly runId: string | null
  readonly requestKey: string | null
  readonly digest: string
  readonly missingSince: string | null
  readonly validBefore: string | null
  /** The nonce of an authorization, of x402. */
  readonly authorization: Hex | null
  readonly createdAt: string
  readonly endedAt: string | null
}

/** A transaction that was signed for a transfer. */
export interface TransactionRow {
  readonly hash: Hex
  readonly raw: Hex
  readonly maxFeePerGas: bigint
  readonly createdAt: string
}
