import type { Fact, Kernel, Trx } from 'agent-platform'
import { afterCommit } from 'agent-platform'
import type { Usage } from '../../runs/contract.ts'
import type { Called } from '../../tools/contract.ts'
import type { Account, Due, LockedCap, Posting, Reservation } from '../rows.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { Price } from '../stores/prices.ts'
import type { ReservationStore } from '../stores/reservations.ts'
import type { Bill } from './bills.ts'
import { billsOf } from './bills.ts'
import type { OwnAccounts } from './charging.ts'
import { chargeOf, countSpent, ownAccountIds, recordShares } from './charging.ts'
import type { Known } from './known.ts'
import { priceOf, shownPrice, targetsOfTool } from './pricing.ts'

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

type Found = Pick<Reservation, 'project' | 'id'>

const SOON_MS = 250
const BATCH = 500

interface Deps extends Pick<Kernel, 'facts' | 'knex' | 'log'> {
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
  const { known, knex, facts, log, accountStore, reservationStore, ledgerStore, capStore } = deps
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  let isStopped = false

  async function runsEnded(ended: readonly Fact<Ended>[], trx: Trx): Promise<void> {
    const due = ended.map(({ data: { runId, sessionId, agentId, modelProvider, modelId, usage } }) => ({
      id: runId,
      due: { run: { runId, sessionId, agentId, modelProvider, modelId, usage } }
    }))
    if (await reservationStore.updateDue(trx, due)) afterCommit(trx, wake)
  }

  async function toolsCalled(called: readonly Fact<Called>[], trx: Trx): Promise<void> {
    const due: { id: string; due: Due }[] = []
    for (const { project, data } of called) {
      const { callId, runId, agentId, toolName } = data
      // Most cost nothing.
      if (priceOf(await known.prices(project), 'tool', targetsOfTool(toolName)))
        due.push({ id: runId ?? callId, due: { call: { callId, runId, agentId, toolName } } })
    }
    if (due.length > 0 && (await reservationStore.updateDue(trx, due))) afterCommit(trx, wake)
  }

  /** Soon, together with what comes until then: accounts are locked once for many. */
  function wake(): void {
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      working = working.then(work).catch((error) => log.warn({ err: error }, 'what is due is charged later'))
    }, SOON_MS)
  }

  /** Charges all that is due; also what other processes left. What cannot be charged waits for the next time. */
  async function work(): Promise<void> {
    let due: readonly Found[] = []
    do {
      due = await reservationStore.listOpenDue(BATCH, due.at(-1))
      if (due.length > 0) await settleAll(due)
    } while (due.length === BATCH)
  }

  /** One that fails does not keep the others from being charged. */
  async function settleAll(due: readonly Found[]): Promise<void> {
    try {
      await knex.transaction((trx) => settle(trx, due, billsOf))
    } catch (error) {
      // Else the database is looked for once for each.
      await knex.raw('select 1')
      if (due.length > 1) for (const one of due) await settleAll([one])
      else log.error({ err: error, reservation: due[0]?.id }, 'a reservation could not be charged')
    }
  }

  async function stop(): Promise<void> {
    isStopped = true
    clearTimeout(timer)
    await working
  }

  async function settle(
    trx: Trx,
    found: readonly Found[],
    billsFor: (reservation: Reservation) => readonly Bill[]
  ): Promise<void> {
    const ids = found.map(({ id }) => id)
    const own = await ownAccountIds(
      known,
      found.map(({ project }) => project)
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
    const bills = reservations.flatMap((reservation) =>
      billsFor(reservation).map((bill) => ({ reservation, bill }))
    )
    const keys = bills.map(({ bill }) => bill.key)
    const posted = new Set((await ledgerStore.listKeys(trx, projects, keys)).map(textOf))
    const postings: Posting[] = []
    for (const { reservation, bill } of bills) {
      if (bill.isOver && reservation.isSettled) continue
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
      // The same call may be told of twice.
      const text = textOf({ project, key: bill.key })
      if (posted.has(text)) continue
      posted.add(text)
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
    { key, isOver: _, cost: __, ...purpose }: Bill,
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
    const over: Bill = { key: '', isOver: true, cost: () => undefined }
    if (lost.length > 0) await knex.transaction((trx) => settle(trx, lost, () => [over]))
    return lost.length
  }

  return { runsEnded, toolsCalled, work, stop, releaseLost }
}

const textOf = ({ project, key }: { project: string; key: string }) => JSON.stringify([project, key])

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
