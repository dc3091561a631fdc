import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, digestOf, newId, paymentRequired } from 'agent-platform'
import type { Address } from 'viem'
import type { Jobs } from '../../jobs/contract.ts'
import type { Outgoing } from '../../outgoing/contract.ts'
import { decimalOf, minorUnitsOf } from '../amounts.ts'
import type { Network } from '../networks/network.ts'
import type { Networks } from '../networks/networks.ts'
import type { WalletRow } from '../rows.ts'
import type { PaidAnswer, PaidRequest } from '../schemas/x402.ts'
import { newNonce } from '../signing/authorization.ts'
import type { Payment } from '../signing/policy.ts'
import type { Signing } from '../signing/signing.ts'
import type { PurchaseRow, PurchaseStore } from '../stores/purchases.ts'
import type { TransferStore } from '../stores/transfers.ts'
import type { Challenge } from '../x402/challenge.ts'
import { challengeOf } from '../x402/challenge.ts'
import { answerOf, ask, checkHeaders } from '../x402/exchange.ts'
import { paymentHeader } from '../x402/payload.ts'
import type { Consent } from './consent.ts'
import type { Delivery } from './delivery.ts'
import { shownTransfer } from './shown-transfer.ts'
import type { TransferRequest } from './transfers.ts'
import type { WalletService } from './wallets.ts'
import { active } from './wallets.ts'

export type PurchaseService = ReturnType<typeof createPurchaseService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'instances'> {
  jobs: Jobs
  outgoing: Outgoing
  networks: Networks
  consent: Consent
  signing: Signing
  delivery: Delivery
  purchaseStore: PurchaseStore
  transferStore: TransferStore
  walletService: WalletService
}

/** Answers that are paid for by x402: the payment is written down before it is shown to the server, and is the same one each time. */
export function createPurchaseService(deps: Deps) {
  const { transaction, facts, jobs, outgoing, instances, networks, consent, signing, delivery } = deps
  const { purchaseStore, transferStore, walletService } = deps

  async function buy(
    by: Principal,
    agentId: string,
    input: PaidRequest,
    request: TransferRequest
  ): Promise<PaidAnswer & { isRepeated: boolean }> {
    const wallet = active(await walletService.payer(by, agentId, input.walletId))
    const { network } = networks.of(wallet)
    const url = outgoing.check(input.url, '/url')
    checkHeaders(input)
    const most =
      input.maxAmount === undefined
        ? undefined
        : minorUnitsOf(input.maxAmount, network.stablecoin?.decimals ?? 0, '/maxAmount', { zero: true })
    const { walletId: _, ...asked } = input
    const of = {
      project: wallet.project,
      walletId: wallet.id,
      requestKey: request.key === null || input.preview ? null : digestOf([by.id, by.owner, request.key]),
      digest: digestOf(asked)
    }
    const before = await purchaseStore.findRequested(undefined, of)
    if (before && before.digest !== of.digest)
      throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
    if (before && before.status !== 'completed' && wallet.frozen)
      throw conflict('The wallet is frozen', { code: 'wallet_frozen' })
    // One that nobody can take any more is no payment: the request begins anew.
    if (before && !(await delivery.giveUp(before)))
      return { ...(await delivery.again(before, url, input)), isRepeated: true }

    const reply = await ask(outgoing, url, input)
    if (reply.status !== 402) {
      const answer = await answerOf(reply)
      if (of.requestKey !== null)
        await transaction((trx) =>
          purchaseStore.insert(trx, { ...empty(wallet, of), status: 'completed', answer })
        )
      return { answer, quote: null, payment: null, receipt: null, isRepeated: false }
    }
    const challenge = challengeOf(
      reply.headers.get('payment-required'),
      (await answerOf(reply)).body,
      url.host,
      {
        ...network,
        address: wallet.address
      }
    )
    if (input.preview)
      return { answer: null, quote: challenge.quote, payment: null, receipt: null, isRepeated: false }
    if (most !== undefined && challenge.units > most)
      throw paymentRequired(`${url.host} asks for ${priceOf(challenge)}, more than ${input.maxAmount}`, {
        code: 'price_too_high'
      })
    const { units, to, quote } = challenge
    const { approved, runId, untrusted, askPerson } = request
    const wanted = { asset: 'stablecoin' as const, units, to, url, approved, runId, untrusted }
    const payment = await consent(wallet, network, wanted, quote, askPerson)
    await checkFunds(wallet, network, challenge)
    // By the chain’s clock, which decides; where it has had no block for a while, by this one.
    const now = Math.max(Math.floor(Date.now() / 1_000), await networks.of(wallet).time('latest'))
    const validBefore = now + challenge.seconds
    const purchase = await transaction((trx) =>
      sign(trx, by, wallet, network, challenge, payment, { ...of, validBefore })
    )
    return { ...(await delivery.deliver(purchase, url, input)), isRepeated: false }
  }

  async function checkFunds(wallet: WalletRow, network: Network, { units, quote }: Challenge): Promise<void> {
    const held = await networks.of(wallet).balance(wallet.address as Address, 'stablecoin')
    if (held >= units) return
    const there = decimalOf(held, network.stablecoin?.decimals ?? 0)
    throw conflict(
      `${quote.host} asks for ${quote.amount} ${quote.symbol}, and there are ${there} in the wallet`,
      {
        code: 'insufficient_funds'
      }
    )
  }

  /** The payment, and what it is for, are written down; from here on the server may be shown it. */
  async function sign(
    trx: Trx,
    by: Principal,
    wallet: WalletRow,
    network: Network,
    challenge: Challenge,
    payment: Payment,
    { validBefore, ...of }: Requested & { validBefore: number }
  ): Promise<PurchaseRow> {
    const locked = await signing.lock(trx, wallet)
    if (await purchaseStore.findRequested(trx, of))
      throw conflict('The first request with this Idempotency-Key is still running', {
        code: 'idempotency_in_progress'
      })
    const { units, to, quote } = challenge
    const authorization = { from: wallet.address as Address, to, units, validBefore, nonce: newNonce() }
    const signature = await signing.authorization(trx, locked, network, payment, authorization)
    const { project, owner, agentId, id: walletId } = wallet
    const row = await transferStore.insert(trx, {
      ...{
        project,
        id: newId('transfer'),
        owner,
        agentId,
        walletId,
        kind: 'x402',
        asset: 'stablecoin',
        units,
        to
      },
      ...{ symbol: quote.symbol, decimals: network.stablecoin?.decimals ?? 0, host: quote.host },
      ...{ network: network.id, chainId: network.chainId, hash: null, nonce: null },
      ...{ approved: payment.approved, untrusted: payment.untrusted, runId: payment.runId },
      ...{ requestKey: null, digest: of.digest },
      ...{ validBefore: new Date(validBefore * 1_000).toISOString(), authorization: authorization.nonce }
    })
    const data = shownTransfer(row, network)
    await facts.record(trx, 'wallets.transfer_begun', by, { subject: row.id, owner, data })
    await jobs.send('wallets.watch', { network: network.id }, { trx, key: network.id })
    const header = paymentHeader(challenge, network, authorization, signature)
    const instance = instances.id() ?? null
    return purchaseStore.insert(trx, {
      ...empty(wallet, of),
      status: 'paying',
      transferId: row.id,
      quote,
      header,
      instance
    })
  }

  return { buy }
}

type Requested = Pick<PurchaseRow, 'project' | 'walletId' | 'requestKey' | 'digest'>

const priceOf = ({ quote }: Challenge) => `${quote.amount} ${quote.symbol}`

const empty = ({ owner }: WalletRow, of: Requested) => ({
  ...{ ...of, id: newId('purchase'), owner, transferId: null, instance: null },
  ...{ quote: null, header: null, failure: null, receipt: null, answer: null }
})
