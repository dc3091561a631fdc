import type { Kernel } from 'agent-platform'
import { conflict, upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Networks } from '../networks/networks.ts'
import type { PaidAnswer, PaidRequest } from '../schemas/x402.ts'
import type { PurchaseRow, PurchaseStore } from '../stores/purchases.ts'
import type { TransferStore } from '../stores/transfers.ts'
import { answerOf, ask } from '../x402/exchange.ts'
import { receiptOf } from '../x402/payload.ts'
import { shownTransfer } from './shown-transfer.ts'

export type Delivery = ReturnType<typeof createDelivery>

interface Deps extends Pick<Kernel, 'instances' | 'transaction'> {
  outgoing: Outgoing
  networks: Networks
  purchaseStore: PurchaseStore
  transferStore: TransferStore
}

/** Shows servers payments that are written down, and keeps what they answer. */
export function createDelivery(deps: Deps) {
  const { transaction, outgoing, instances, networks, purchaseStore, transferStore } = deps
  /** Under way in this process, which the record alone would take for left. */
  const under = new Set<string>()

  async function deliver(purchase: PurchaseRow, url: URL, input: PaidRequest, isAgain = false) {
    under.add(purchase.id)
    try {
      const reply = await send(purchase, url, input)
      const answer = await answerOf(reply)
      // Shown again it may be told to be used, while the first one is still being answered, or to be too old.
      if (reply.status === 402 && isAgain && (await statusOf(purchase)) !== 'confirmed')
        throw unknown(url.host)
      if (reply.status === 402)
        throw await refused(purchase, `${url.host} was shown the payment, and asks for one again`)
      if (reply.status >= 500) throw unknown(url.host)
      const receipt = receiptOf(reply.headers)
      const transaction = receipt?.success ? receipt.transaction : null
      if (transaction && /^0x[0-9a-fA-F]{64}$/.test(transaction))
        await noteHash(purchase, transaction as `0x${string}`)
      const ended = { status: 'completed' as const, failure: null, receipt, answer }
      await purchaseStore.settle(purchase, ended)
      return shown({ ...purchase, ...ended })
    } catch (error) {
      await purchaseStore.updateFreed(purchase, purchase.instance)
      throw error
    } finally {
      under.delete(purchase.id)
    }
  }

  async function statusOf({ transferId }: PurchaseRow) {
    const row = transferId === null ? undefined : await transferStore.find(transferId)
    return row?.status
  }

  /**
   * Whether its payment was not taken while it was good, as the chain has it, and no answer came for it: then its key is free. So it is
   * where a process died before it could show it.
   */
  async function giveUp(purchase: PurchaseRow): Promise<boolean> {
    if (purchase.status !== 'paying' || (await statusOf(purchase)) !== 'failed') return false
    await purchaseStore.updateGivenUp(purchase, 'Its payment was not taken while it was good')
    return true
  }

  async function send(purchase: PurchaseRow, url: URL, input: PaidRequest) {
    try {
      return await ask(outgoing, url, input, purchase.header ?? undefined)
    } catch (error) {
      const { code } = Object(error) as { code?: unknown }
      if (code === 'redirected')
        throw await refused(purchase, `${url.host} was shown the payment, and redirects`)
      throw unknown(url.host)
    }
  }

  /** What was signed may still be taken until it ends; the chain is asked, and the caps count it until then. */
  async function refused(purchase: PurchaseRow, failure: string) {
    await purchaseStore.settle(purchase, { status: 'failed', failure, receipt: null, answer: null })
    return refusal(failure)
  }

  /** A claim of the server’s: the chain decides whether it is so. */
  async function noteHash({ project, transferId }: PurchaseRow, hash: `0x${string}`): Promise<void> {
    if (transferId === null) return
    await transaction(async (trx) => {
      // What is confirmed has the hash of its transaction, whatever a server says later.
      const open = await transferStore.lock(trx, { project, id: transferId })
      if (open) await transferStore.update(trx, open, { hash })
    })
  }

  /** The same request again: what it was answered, or the same payment shown once more. */
  async function again(purchase: PurchaseRow, url: URL, input: PaidRequest): Promise<PaidAnswer> {
    if (purchase.status === 'completed') return shown(purchase)
    if (purchase.status === 'failed') throw refusal(purchase.failure ?? '')
    const instance = instances.id() ?? null
    const free = [
      ...(await instances.dead()),
      ...(instance !== null && !under.has(purchase.id) ? [instance] : [])
    ]
    if (under.has(purchase.id) || !(await purchaseStore.take(purchase, instance, free)))
      throw conflict('The first request with this Idempotency-Key is still running', {
        code: 'idempotency_in_progress'
      })
    return deliver({ ...purchase, instance }, url, input, true)
  }

  async function shown({ transferId, quote, receipt, answer }: PurchaseRow): Promise<PaidAnswer> {
    const row = transferId === null ? undefined : await transferStore.find(transferId)
    return { answer, quote, receipt, payment: row ? shownTransfer(row, networks.find(row.network)) : null }
  }

  return { deliver, again, giveUp }
}

const refusal = (failure: string) => upstreamFailed(failure, { code: 'payment_refused' })
const unknown = (host: string) =>
  upstreamFailed(
    `${host} was shown the payment, and gave no answer: the same request again shows it the same payment`,
    {
      code: 'payment_outcome_unknown'
    }
  )
