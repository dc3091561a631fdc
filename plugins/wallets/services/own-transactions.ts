import type { Kernel, Principal, Trx } from 'agent-platform'
import { newId, unavailable } from 'agent-platform'
import type { Address, Hex } from 'viem'
import type { Jobs } from '../../jobs/contract.ts'
import type { Networks } from '../networks/networks.ts'
import type { TransferRow, WalletRow } from '../rows.ts'
import { wallets } from '../schemas/wallets.ts'
import type { WalletSettings } from '../settings.ts'
import type { Order, Signing } from '../signing/signing.ts'
import type { TransferStore } from '../stores/transfers.ts'
import type { Drafts } from './drafts.ts'
import { shownTransfer } from './shown-transfer.ts'
import { active } from './wallets.ts'

export type OwnTransactions = ReturnType<typeof createOwnTransactions>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'principals'> {
  settings: WalletSettings
  jobs: Jobs
  networks: Networks
  signing: Signing
  drafts: Drafts
  transferStore: TransferStore
}

export interface Operator {
  readonly wallet: WalletRow
  readonly by: Principal
}

interface OwnTransaction {
  readonly kind: 'anchor' | 'settlement'
  readonly to: Address
  readonly data: Hex
  /** The same one is sent once. */
  readonly requestKey: string
}

/** What the platform itself sends, from the operator’s wallet: it pays nothing but the network’s fee, and is signed, sent and followed as payments are. */
export function createOwnTransactions(deps: Deps) {
  const { knex, transaction, facts, principals, settings, jobs, networks, signing, drafts, transferStore } =
    deps

  /** 503 with that code where no wallet is named that could pay a fee. */
  async function operator(code: string): Promise<Operator> {
    const { operator: id } = settings
    const wallet = id === undefined ? undefined : await wallets.find(knex, id)
    const by = wallet && (await principals.of(wallet.project, wallet.owner))
    if (wallet && by) return { wallet: active(wallet), by }
    throw unavailable('The platform has no wallet of its own here: name one by WALLET_OPERATOR', { code })
  }

  /** How it stands; what a transfer is refused with. */
  async function send({ wallet, by }: Operator, own: OwnTransaction): Promise<TransferRow> {
    const { requestKey, to, data } = own
    const { project, id: walletId } = wallet
    const found = await transferStore.findRequested(undefined, { project, walletId, requestKey })
    if (found) return found
    const chain = networks.of(wallet)
    const asker = { approved: true, runId: null, untrusted: false }
    const payment = { asset: 'native' as const, units: 0n, to, url: null, ...asker }
    await signing.check(undefined, wallet, chain.network, payment)
    const order = await drafts.order(chain, wallet, payment, data)
    return transaction(async (trx) => {
      const locked = await signing.lock(trx, wallet)
      const before = await transferStore.findRequested(trx, { project, walletId, requestKey })
      return before ?? insert(trx, by, locked, order, own)
    })
  }

  async function insert(
    trx: Trx,
    by: Principal,
    wallet: WalletRow,
    order: Order,
    { kind, requestKey }: OwnTransaction
  ): Promise<TransferRow> {
    const { network } = networks.of(wallet)
    const { raw, hash, nonce, maxFeePerGas } = await signing.transaction(trx, wallet, network, order)
    const { project, owner, agentId, id: walletId } = wallet
    const row = await transferStore.insert(trx, {
      ...{ project, id: newId('transfer'), owner, agentId, walletId, kind, asset: 'native', units: 0n },
      ...{ symbol: network.native.symbol, decimals: network.native.decimals },
      ...{ to: order.recipient, host: null, network: network.id, chainId: network.chainId, hash, nonce },
      ...{ approved: true, runId: null, untrusted: false },
      ...{ requestKey, digest: order.draft.data, validBefore: null, authorization: null }
    })
    await transferStore.insertTransaction(trx, row, { hash, raw, maxFeePerGas })
    const data = shownTransfer(row, network)
    await facts.record(trx, 'wallets.transfer_begun', by, { subject: row.id, owner, data })
    // It is sent by those who watch it.
    await jobs.send('wallets.watch', { network: network.id }, { trx, key: network.id })
    return row
  }

  return { operator, send }
}
