import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Usage } from '../../runs/contract.ts'
import type { Called } from '../../tools/contract.ts'
import type { Account, LockedCap, Posting, Purpose, Reservation } from '../rows.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { Price } from '../stores/prices.ts'
import type { ReservationStore } from '../stores/reservations.ts'
import type { OwnAccounts } from './charging.ts'
import { chargeOf, countSpent, ownAccountIds, recordShares } from './charging.ts'
import type { Known } from './known.ts'
import { costOf, priceOf, shownPrice, targetsOfModel, targetsOfTool } from './pricing.ts'

export type Settlement = ReturnType<typeof createSettlement>

/** How a run ended, as `runs` tells it. */
interface Ended {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: Usage
}

/** What is to be charged to what is reserved. */
interface Bill extends Purpose {
  readonly project: string
  readonly key: string
  /** Of the reservation. */
  readonly id: string
  readonly isOver: boolean
  cost(versions: readonly Price[], at: string): { amount: bigint; price: Price } | undefined
}

interface Deps extends Pick<Kernel, 'facts' | 'knex'> {
  known: Known
  accountStore: AccountStore
  reservationStore: ReservationStore
  ledgerStore: LedgerStore
  capStore: CapStore
}

/**
 * Charges what runs and calls of tools used, by the facts about them, and gives back what they had reserved beyond that. A
 * run without a reservation began while it cost nothing, and costs nothing.
 */
export function createSettlement(deps: Deps) {
  const { known, knex, facts, accountStore, reservationStore, ledgerStore, capStore } = deps

  const runsEnded = (ended: readonly Fact<Ended>[], trx: Trx) => settle(trx, ended.map(billOfRun))

  async function toolsCalled(called: readonly Fact<Called>[], trx: Trx): Promise<void> {
    const priced: Fact<Called>[] = []
    for (const fact of called)
      if (priceOf(await known.prices(fact.project), 'tool', targetsOfTool(fact.data.toolName)))
        priced.push(fact)
    // Most cost nothing.
    if (priced.length > 0) await settle(trx, priced.map(billOfCall))
  }

  async function settle(trx: Trx, bills: readonly Bill[]): Promise<void> {
    const ids = bills.map(({ id }) => id)
    const own = await ownAccountIds(
      known,
      bills.map(({ project }) => project)
    )
    const ours = [...own.values()].flatMap(({ earned, absorbed }) => [earned, absorbed])
    const accounts = await accountStore.lockOfReservations(trx, ids, ours)
    if (accounts.size === 0) return
    const caps = new Map<string, readonly LockedCap[]>()
    const owners = [...accounts.values()].map(({ owner }) => owner)
    const projects = [...own.keys()]
    // Nothing of them changes while their accounts are locked.
    const { reservations, prices, projectsWithCaps } = await reservationStore.listDue(
      trx,
      ids,
      projects,
      owners
    )
    for (const project of projectsWithCaps) caps.set(project, await capStore.lock(trx, project, owners))
    const reserved = new Map(reservations.map((one) => [one.id, one]))
    const postings: Posting[] = []
    for (const bill of bills) {
      const reservation = reserved.get(bill.id)
      if (!reservation || (bill.isOver && reservation.isSettled)) continue
      const { project } = reservation
      const ids = own.get(project)
      const account = accounts.get(reservation.accountId)
      const [earned, absorbed] = [accounts.get(ids?.earned ?? ''), accounts.get(ids?.absorbed ?? '')]
      if (!account || !earned || !absorbed) throw new Error('An account of the ledger is missing')
      const capsOfProject = caps.get(project) ?? []
      const due = bill.cost(
        prices.filter((price) => price.project === project),
        reservation.createdAt
      )
      release(reservation, bill.isOver ? reservation.amount : (due?.amount ?? 0n), account, capsOfProject)
      if (bill.isOver) reservation.isSettled = true
      const posting = due && charge(bill, due, account, { earned, absorbed }, reservation, capsOfProject)
      if (posting) postings.push(posting)
    }
    await ledgerStore.insertAll(trx, postings, { accounts: [...accounts.values()], reservations })
    for (const changed of caps.values())
      if (changed.length > 0) {
        await recordShares({ facts }, trx, changed)
        await capStore.update(trx, changed)
      }
  }

  function charge(
    { key, project: _, id: __, isOver: ___, cost: ____, ...purpose }: Bill,
    due: { amount: bigint; price: Price },
    account: Account,
    own: OwnAccounts,
    { sessionId, isRun, id, agentId }: Reservation,
    caps: readonly LockedCap[]
  ): Posting | undefined {
    const about = { agentId, sessionId, runId: isRun ? id : null, ...purpose, price: shownPrice(due.price) }
    const made = chargeOf(due.amount, account, own, key, about)
    if (made) countSpent(caps, account.owner, about, made.charged)
    return made?.posting
  }

  /** What process deaths left behind of calls outside of runs: given back, uncharged. */
  async function releaseLost(): Promise<number> {
    const lost = await reservationStore.listLost(24, 200)
    const over = lost.map(
      ({ project, id }): Bill => ({ project, id, key: id, isOver: true, cost: () => undefined })
    )
    if (over.length > 0) await knex.transaction((trx) => settle(trx, over))
    return lost.length
  }

  return { runsEnded, toolsCalled, releaseLost }
}

/** Takes that much out of what is reserved. */
function release(
  reservation: Reservation,
  amount: bigint,
  account: Account,
  caps: readonly LockedCap[]
): void {
  const less = amount < reservation.amount ? amount : reservation.amount
  reservation.amount -= less
  reservation.calls -= amount < reservation.calls ? amount : reservation.calls
  account.reserved -= less
  for (const cap of caps) if (reservation.caps.includes(cap.id)) cap.reserved -= less
}

const billOfRun = ({ project, data }: Fact<Ended>): Bill => {
  const { runId, sessionId, agentId, modelProvider, modelId, usage } = data
  const { inputTokens, cachedTokens, outputTokens } = usage
  return {
    project,
    key: `run:${runId}`,
    id: runId,
    isOver: true,
    runId,
    sessionId,
    agentId,
    modelProvider,
    modelId,
    quantity: { inputTokens, cachedTokens, outputTokens },
    cost(versions, at) {
      if (modelProvider === null || modelId === null) return undefined
      const price = priceOf(versions, 'model', targetsOfModel(modelProvider, modelId), at)
      return price && { amount: costOf(price, usage), price }
    }
  }
}

const billOfCall = ({ project, data }: Fact<Called>): Bill => {
  const { callId, runId, agentId, toolName } = data
  return {
    project,
    key: `call:${callId}`,
    id: runId ?? callId,
    isOver: runId === null,
    runId,
    agentId,
    toolName,
    quantity: { calls: 1 },
    cost(versions, at) {
      const price = priceOf(versions, 'tool', targetsOfTool(toolName), at)
      return price && { amount: price.call, price }
    }
  }
}
