import type { Kernel } from 'agent-platform'
import type { Address } from 'viem'
import type { Jobs } from '../../jobs/contract.ts'
import type { Chain, Receipt } from '../networks/chain.ts'
import type { Networks } from '../networks/networks.ts'
import { RpcError } from '../networks/rpc.ts'
import type { TransactionRow, TransferRow, WalletRow } from '../rows.ts'
import { wallets } from '../schemas/wallets.ts'
import type { Signing } from '../signing/signing.ts'
import type { TransferStore } from '../stores/transfers.ts'
import { cappedFees } from './drafts.ts'
import type { Ending } from './ending.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'log'> {
  jobs: Jobs
  networks: Networks
  signing: Signing
  ending: Ending
  transferStore: TransferStore
}

/** Looked at in one go; what is more has its turn afterwards. */
const MOST = 500
/** Asked at a time. */
const AT_ONCE = 16

/** Follows payments on their networks until they are in blocks that stay, sends them again, and with a higher fee where they are stuck. */
export function createWatching(deps: Deps) {
  const { knex, transaction, log, jobs, networks, signing, ending, transferStore } = deps

  async function work(data: { network?: string }, signal: AbortSignal): Promise<void> {
    for (const chain of networks.list()) {
      const { id, pollSeconds } = chain.network
      if (data.network !== undefined && data.network !== id) continue
      signal.throwIfAborted()
      const isOpen = await look(chain).catch((err) => {
        log.warn({ err, network: id }, 'payments could not be followed')
        return true
      })
      if (isOpen) await jobs.send('wallets.watch', { network: id }, { key: id, inSeconds: pollSeconds })
    }
  }

  /** Whether there is something left to follow. */
  async function look(chain: Chain): Promise<boolean> {
    const { id, chainId } = chain.network
    const open = await transferStore.listPending(id, chainId, MOST)
    if (open.length === 0) return false
    const head = await chain.head()
    const nonces = new Map<string, Promise<number>>()
    const left = open.values()
    let isOpen = open.length === MOST
    const worker = async () => {
      for (const row of left) {
        const hasEnded = await follows(chain, row, head, nonces).catch((err) => {
          log.warn({ err, network: id, transfer: row.id }, 'a payment could not be followed')
          return false
        })
        if (!hasEnded) isOpen = true
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return isOpen
  }

  /** Whether it has ended. */
  async function follows(chain: Chain, row: TransferRow, head: number, nonces: Map<string, Promise<number>>) {
    const wallet = (await wallets.find(knex, row.walletId)) as WalletRow
    if (row.kind === 'x402') return ending.authorized(chain, row, head, wallet.address as Address)
    // Asked before the receipts: what is mined in between is seen there.
    const known = nonces.get(row.walletId) ?? chain.nonce(wallet.address as Address)
    nonces.set(row.walletId, known)
    const nonce = await known
    const sent = await transferStore.listTransactions(undefined, row)
    const receipt = await receiptOf(chain, sent)
    if (receipt) {
      if (row.missingSince) await transferStore.update(undefined, row, { missingSince: null })
      if (head - receipt.blockNumber + 1 < chain.network.confirmations) return false
      await ending.mined(chain.network, row, receipt)
      return true
    }
    if (nonce > (row.nonce ?? 0)) return displaced(chain, row)
    const [latest] = sent
    if (latest) await sendAgain(chain, wallet, row, latest, nonce)
    return false
  }

  /** Another transaction has its nonce. Servers behind one address may not know the same blocks, so this has to last. */
  async function displaced({ network }: Chain, row: TransferRow): Promise<boolean> {
    const since = row.missingSince && new Date(row.missingSince).getTime()
    if (!since) await transferStore.update(undefined, row, { missingSince: new Date().toISOString() })
    if (!since || Date.now() - since < network.stuckSeconds * 1_000) return false
    await ending.replaced(network, row)
    return true
  }

  async function sendAgain(
    chain: Chain,
    wallet: WalletRow,
    row: TransferRow,
    latest: TransactionRow,
    nonce: number
  ) {
    // It may be in a block yet; nothing of a frozen wallet is sent anew.
    if (wallet.frozen) return
    const { stuckSeconds } = chain.network
    const isStuck =
      nonce === row.nonce && Date.now() - new Date(latest.createdAt).getTime() > stuckSeconds * 1_000
    const next = isStuck ? ((await dearer(chain, wallet, row, latest)) ?? latest) : latest
    try {
      await chain.send(next.raw)
      if (row.failure) await transferStore.update(undefined, row, { failure: null })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (/already known|already imported|nonce too low|underpriced/i.test(error.message)) return
      await transferStore.update(undefined, row, { failure: error.message })
    }
  }

  /** The same payment with a fee by an eighth higher, which networks ask for; written down before it is sent. */
  async function dearer(chain: Chain, wallet: WalletRow, row: TransferRow, latest: TransactionRow) {
    const now = await chain.fees()
    const least = (latest.maxFeePerGas * 9n) / 8n + 1n
    const maxFeePerGas = now.maxFeePerGas > least ? now.maxFeePerGas : least
    const maxPriorityFeePerGas = maxFeePerGas - (now.maxFeePerGas - now.maxPriorityFeePerGas)
    const fees = capped(chain, { maxFeePerGas, maxPriorityFeePerGas })
    if (!fees || fees.maxFeePerGas < least) return undefined
    return transaction(async (trx) => {
      const locked = await signing.lock(trx, wallet)
      const [current] = await transferStore.listTransactions(trx, row)
      const isOpen = await transferStore.lock(trx, row)
      if (!isOpen || current?.hash !== latest.hash) return undefined
      const signed = await signing.again(trx, locked, latest.raw, fees)
      if (!signed) return undefined
      await transferStore.insertTransaction(trx, row, signed)
      await transferStore.update(trx, row, { hash: signed.hash })
      return signed
    })
  }

  return { work }
}

const capped = ({ network }: Chain, fees: Parameters<typeof cappedFees>[1]) => {
  try {
    return cappedFees(network, fees)
  } catch {
    return undefined
  }
}

/** Of those that were signed for a payment at most one is mined. */
async function receiptOf(chain: Chain, sent: readonly TransactionRow[]): Promise<Receipt | undefined> {
  for (const { hash } of sent) {
    const receipt = await chain.receipt(hash)
    if (receipt) return receipt
  }
  return undefined
}
