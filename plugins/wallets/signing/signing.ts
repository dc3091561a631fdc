import type { Trx } from 'agent-platform'
import type { Address, Hex, TransactionSerializableEIP1559 } from 'viem'
import { hexToNumber, keccak256, parseTransaction, serializeTransaction, slice } from 'viem/utils'
import type { Draft } from '../networks/chain.ts'
import type { Network } from '../networks/network.ts'
import type { WalletRow } from '../rows.ts'
import { wallets } from '../schemas/wallets.ts'
import type { TransferStore } from '../stores/transfers.ts'
import type { WalletStore } from '../stores/wallets.ts'
import type { Authorization } from './authorization.ts'
import { digestOfAuthorization } from './authorization.ts'
import type { KeyOf, Keys } from './keys.ts'
import type { Payment } from './policy.ts'
import { refuse } from './policy.ts'

export type Signing = ReturnType<typeof createSigning>

interface Deps {
  keys: Keys
  walletStore: WalletStore
  transferStore: TransferStore
}

interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export interface Signed extends Fees {
  readonly raw: Hex
  readonly hash: Hex
  readonly nonce: number
}

/** Signs what a wallet’s policy allows, and nothing else: there is no other way to a signature. */
export function createSigning({ keys, walletStore, transferStore }: Deps) {
  /** What `refuse` says of it as things are. */
  async function check(trx: Trx | undefined, wallet: WalletRow, network: Network, payment: Payment) {
    refuse(wallet, network, payment, await transferStore.findSpent(trx, wallet, payment.asset))
  }

  async function signed(
    trx: Trx,
    wallet: WalletRow,
    unsigned: TransactionSerializableEIP1559
  ): Promise<Signed> {
    const digest = keccak256(serializeTransaction(unsigned))
    const signature = await keys.signDigest(trx, keyOf(wallet), digest)
    const raw = serializeTransaction(unsigned, partsOf(signature))
    const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = unsigned
    return { raw, hash: keccak256(raw), nonce, maxFeePerGas, maxPriorityFeePerGas }
  }

  return {
    check,

    /** The wallet as it stays until the transaction ends: its payments come one after another. */
    lock: (trx: Trx, wallet: WalletRow): Promise<WalletRow> => wallets.lock(trx, wallet),

    /**
     * A transaction with the next nonce of a wallet that is locked. `chainNonce`: how many of its transactions were in blocks, as a
     * moment ago.
     */
    async transaction(
      trx: Trx,
      wallet: WalletRow,
      network: Network,
      { payment, draft, gas, fees, chainNonce }: Order
    ): Promise<Signed> {
      await check(trx, wallet, network, payment)
      const nonce = Math.max(Number(wallet.nextNonce), chainNonce)
      await walletStore.updateNonce(trx, wallet, nonce + 1)
      const { to, value, data } = draft
      const { chainId } = network
      return signed(trx, wallet, { type: 'eip1559', chainId, nonce, to, value, data, gas, ...fees })
    },

    /** Of a wallet that is locked: lets that be paid by x402. */
    async authorization(
      trx: Trx,
      wallet: WalletRow,
      network: Network,
      payment: Payment,
      authorization: Authorization
    ): Promise<Hex> {
      await check(trx, wallet, network, payment)
      return keys.signDigest(trx, keyOf(wallet), digestOfAuthorization(network, authorization))
    },

    /** The same transaction with other fees; undefined for a wallet that is frozen by now. */
    async again(trx: Trx, wallet: WalletRow, raw: Hex, fees: Fees): Promise<Signed | undefined> {
      if (wallet.frozen) return undefined
      const { chainId, nonce, to, value, data, gas } = parseTransaction(raw) as TransactionSerializableEIP1559
      return signed(trx, wallet, { type: 'eip1559', chainId, nonce, to, value, data, gas, ...fees })
    }
  }
}

export interface Order {
  readonly payment: Payment
  /** Of the payment: what it is sent to is the stablecoin’s contract, where that is paid with. */
  readonly recipient: Address
  readonly draft: Draft
  readonly gas: bigint
  readonly fees: Fees
  readonly chainNonce: number
}

const partsOf = (signature: Hex) => ({
  r: slice(signature, 0, 32),
  s: slice(signature, 32, 64),
  yParity: hexToNumber(slice(signature, 64, 65)) - 27
})

const keyOf = ({ project, id, signer, address }: WalletRow): KeyOf => ({
  project,
  walletId: id,
  signer,
  address: address as Address
})
