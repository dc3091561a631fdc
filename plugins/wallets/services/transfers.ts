import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, digestOf, invalid, newId, owned } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Asset } from '../amounts.ts'
import { minorUnitsOf } from '../amounts.ts'
import { recipientOf } from '../networks/addresses.ts'
import type { Chain } from '../networks/chain.ts'
import { assetOf } from '../networks/network.ts'
import type { Networks } from '../networks/networks.ts'
import type { TransferRow, WalletRow } from '../rows.ts'
import type { NewTransfer, TransferQuery } from '../schemas/transfers.ts'
import type { Asker } from '../signing/policy.ts'
import type { Order, Signing } from '../signing/signing.ts'
import type { TransferStore } from '../stores/transfers.ts'
import type { AskPerson, Consent } from './consent.ts'
import type { Drafts } from './drafts.ts'
import { shownTransfer } from './shown-transfer.ts'
import type { WalletService } from './wallets.ts'
import { active } from './wallets.ts'

export type TransferService = ReturnType<typeof createTransferService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'log'> {
  jobs: Jobs
  networks: Networks
  consent: Consent
  signing: Signing
  drafts: Drafts
  transferStore: TransferStore
  walletService: WalletService
}

export interface TransferRequest extends Asker {
  /** Names the request: the same one pays once. Null: it has no name. */
  readonly key: string | null
  /** Left out where no person can be asked. */
  readonly askPerson?: AskPerson
}

/** Payments: simulated, checked against the policy, signed and written down in one transaction, and sent after that. */
export function createTransferService(deps: Deps) {
  const { transaction, facts, log, jobs, networks, consent, signing, drafts, transferStore, walletService } =
    deps

  async function create(by: Principal, walletId: string, input: NewTransfer, request: TransferRequest) {
    const { to: given, amount, asset = 'stablecoin' } = input
    const wallet = active(await walletService.find(by, walletId, 'change'))
    const { project } = wallet
    const digest = digestOf({ to: given.toLowerCase(), amount, asset })
    const requestKey = request.key === null ? null : digestOf([by.id, by.owner, request.key])
    const made = await repeated(undefined)
    if (made) return made
    const chain = networks.of(wallet)
    const coin = coinOf(chain, asset)
    const units = minorUnitsOf(amount, coin.decimals, '/amount')
    const to = recipientOf(given, [wallet.address, chain.network.stablecoin?.address], '/to')
    const { approved, runId, untrusted, askPerson } = request
    const wanted = { asset, units, to, url: null, approved, runId, untrusted }
    const payment = await consent(wallet, chain.network, wanted, { amount, symbol: coin.symbol }, askPerson)
    const order = await drafts.order(chain, wallet, payment)
    const { row, before } = await transaction(async (trx) => {
      const locked = await signing.lock(trx, wallet)
      // The same request, at the same time.
      const before = await repeated(trx)
      return before
        ? { before }
        : { row: await insert(trx, by, locked, chain, order, { requestKey, digest, coin }) }
    })
    if (before) return before
    await broadcast(chain, row)
    return { transfer: shownTransfer(row, chain.network), isRepeated: false }

    async function repeated(trx: Trx | undefined) {
      const row = await transferStore.findRequested(trx, { project, walletId, requestKey })
      if (row && row.digest !== digest)
        throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
      return row && { transfer: shownTransfer(row, networks.find(row.network)), isRepeated: true }
    }
  }

  async function insert(
    trx: Trx,
    by: Principal,
    wallet: WalletRow,
    { network }: Chain,
    order: Order,
    { requestKey, digest, coin }: { requestKey: string | null; digest: string; coin: Coin }
  ): Promise<TransferRow> {
    const { payment } = order
    const { raw, hash, nonce, maxFeePerGas } = await signing.transaction(trx, wallet, network, order)
    const { project, owner, agentId, id: walletId } = wallet
    const row = await transferStore.insert(trx, {
      ...{ project, id: newId('transfer'), owner, agentId, walletId, kind: 'transfer', ...coin },
      ...{ asset: payment.asset, units: payment.units, to: order.recipient, host: null },
      ...{ network: network.id, chainId: network.chainId, hash, nonce },
      ...{ approved: payment.approved, untrusted: payment.untrusted, runId: payment.runId },
      ...{ requestKey, digest },
      ...{ validBefore: null, authorization: null }
    })
    await transferStore.insertTransaction(trx, row, { hash, raw, maxFeePerGas })
    const data = shownTransfer(row, network)
    await facts.record(trx, 'wallets.transfer_begun', by, { subject: row.id, owner, data })
    await jobs.send('wallets.watch', { network: network.id }, { trx, key: network.id })
    return row
  }

  /** What the network does not take now is sent again by those who watch it. */
  async function broadcast(chain: Chain, row: TransferRow): Promise<void> {
    const [latest] = await transferStore.listTransactions(undefined, row)
    if (latest)
      await chain
        .send(latest.raw)
        .catch((err) => log.warn({ err, transfer: row.id }, 'a transfer was not sent'))
  }

  async function list(by: Principal, walletId: string, query: TransferQuery) {
    const wallet = await walletService.find(by, walletId, 'read')
    const found = await transferStore.list({ project: wallet.project, walletId }, query)
    return { ...found, data: found.data.map((row) => shownTransfer(row, networks.find(row.network))) }
  }

  async function read(by: Principal, walletId: string, id: string) {
    await walletService.find(by, walletId, 'read')
    const found = await transferStore.find(id)
    const row = owned(by, found?.walletId === walletId ? found : undefined, 'Transfer', 'read')
    return shownTransfer(row, networks.find(row.network))
  }

  return { create, list, read }
}

type Coin = { readonly symbol: string; readonly decimals: number }

function coinOf({ network }: Chain, asset: Asset): Coin {
  const coin = assetOf(network, asset)
  if (!coin) throw invalid('/asset', `The network ${network.id} has no stablecoin`)
  return { symbol: coin.symbol, decimals: coin.decimals }
}
