import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import { digestOf, paymentRequired, unavailable } from 'agent-platform'
import type { Address, Hex } from 'viem'
import { encodeFunctionData, hexToNumber, slice } from 'viem/utils'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Chain } from '../networks/chain.ts'
import { RpcError } from '../networks/rpc.ts'
import { tokenAbi } from '../networks/token.ts'
import type { TransferRow } from '../rows.ts'
import type { Operator, OwnTransactions } from '../services/own-transactions.ts'
import type { WalletSettings } from '../settings.ts'
import type { ChargeRow } from '../stores/charges.ts'
import type { TransferStore } from '../stores/transfers.ts'
import type { Shown, Terms } from '../x402/requirements.ts'
import { requirementsOf } from '../x402/requirements.ts'

export type Settlements = ReturnType<typeof createSettlements>

interface Deps extends Pick<Kernel, 'log'> {
  settings: WalletSettings
  outgoing: Outgoing
  ownTransactions: OwnTransactions
  transferStore: TransferStore
}

/** For so long a request waits until its payment is in a block. */
const WAIT_MS = 30_000
const POLL_MS = 250
const TRIES = 12

/** Has payments that were shown taken on their chain: by the operator’s wallet, or by the facilitator of the settings. The chain alone says whether they were. */
export function createSettlements({ log, settings, outgoing, ownTransactions, transferStore }: Deps) {
  /** The transaction by which it was paid. 402 (`payment_failed`) where it cannot be, 503 (`payment_pending`) while nobody knows. */
  async function settle(
    operator: Operator,
    chain: Chain,
    row: ChargeRow,
    shown: Shown,
    terms: Terms
  ): Promise<Hex> {
    const paid = { from: row.payer, to: row.to, units: row.units }
    const hash =
      settings.facilitator === undefined
        ? await bySelf(operator, chain, row, shown)
        : await byFacilitator(chain, settings.facilitator, shown, terms)
    if (hash && (await hasPaid(chain, hash, paid))) return hash
    // Whoever was shown it could have it taken, and so could we, and not know.
    const other = await chain.findUsed(row.payer, row.nonce, row.sinceBlock)
    if (other && (await chain.hasPaid(other, paid))) return other
    throw failed('The payment could not be taken')
  }

  /** A facilitator answers once it is in a block, which the server of the network may see a moment later. */
  async function hasPaid(chain: Chain, hash: Hex, paid: Parameters<Chain['hasPaid']>[1]): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (await chain.hasPaid(hash, paid)) return true
      await delay(POLL_MS)
    }
    return false
  }

  async function bySelf(
    operator: Operator,
    chain: Chain,
    { id }: ChargeRow,
    shown: Shown
  ): Promise<Hex | undefined> {
    const { address } = chain.network.stablecoin ?? {}
    const own = { kind: 'settlement', to: address as Address, data: callOf(shown) } as const
    for (let turn = 0; ; turn++) {
      const requestKey = digestOf(['charge', id, turn])
      const row = await ownTransactions.send(operator, { ...own, requestKey }).catch(refused)
      if (!row) return undefined
      const ended = await mined(chain, row)
      if (ended !== 'replaced') return ended
    }
  }

  /** The hash of its transaction once that is in a block and has done it; undefined where it failed there. */
  async function mined(chain: Chain, row: TransferRow): Promise<Hex | 'replaced' | undefined> {
    const [latest] = await transferStore.listTransactions(undefined, row)
    if (latest && row.status === 'pending')
      await chain
        .send(latest.raw)
        .catch((err) => log.debug({ err, transfer: row.id }, 'a settlement was not sent'))
    let found: Hex | 'failed' | 'replaced' | undefined
    await until(async () => {
      const now = (await transferStore.find(row.id)) ?? row
      if (now.status === 'replaced') return (found = 'replaced')
      for (const { hash } of await transferStore.listTransactions(undefined, row)) {
        const receipt = await chain.receipt(hash)
        if (receipt) return (found = receipt.succeeded ? hash : 'failed')
      }
      return undefined
    })
    return found === 'failed' ? undefined : found
  }

  async function byFacilitator(
    chain: Chain,
    url: string,
    shown: Shown,
    terms: Terms
  ): Promise<Hex | undefined> {
    const reply = await outgoing
      .fetch(`${url.replace(/\/$/, '')}/settle`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          x402Version: shown.version,
          paymentPayload: shown.payload,
          paymentRequirements: requirementsOf(shown.version, terms)
        }),
        redirect: 'error',
        maxBytes: 65_536
      })
      .then((it) => it.json() as Promise<{ success?: unknown; transaction?: unknown; errorReason?: unknown }>)
      .catch((err) => {
        log.warn({ err, network: chain.network.id }, 'the facilitator gave no answer')
        return {}
      })
    const { transaction, errorReason } = Object(reply)
    if (typeof transaction === 'string' && /^0x[0-9a-fA-F]{64}$/.test(transaction)) return transaction as Hex
    if (errorReason !== undefined)
      log.info({ reason: String(errorReason).slice(0, 200) }, 'a payment was not taken')
    return undefined
  }

  return { settle }
}

/** What is simulated to fail was taken before, or cannot be. */
function refused(error: unknown): undefined {
  const { code } = Object(error) as { code?: unknown }
  if (code === 'simulation_failed' || error instanceof RpcError) return undefined
  throw error
}

/** Whether it became so while a request may wait; 503 after that. */
async function until(is: () => Promise<unknown>): Promise<boolean> {
  const ends = performance.now() + WAIT_MS
  for (; performance.now() < ends; await delay(POLL_MS)) if (await is()) return true
  throw unavailable('The payment is not in a block yet: show it again', { code: 'payment_pending' })
}

const failed = (message: string) => paymentRequired(message, { code: 'payment_failed' })

function callOf({ from, to, units, validAfter, validBefore, nonce, signature }: Shown): Hex {
  const [r, s] = [slice(signature, 0, 32), slice(signature, 32, 64)]
  const last = hexToNumber(slice(signature, 64, 65))
  return encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transferWithAuthorization',
    args: [
      from,
      to,
      units,
      BigInt(validAfter),
      BigInt(validBefore),
      nonce,
      last < 27 ? last + 27 : last,
      r,
      s
    ]
  })
}
