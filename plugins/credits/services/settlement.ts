import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Asked, AskedMedia } from '../../models/contract.ts'
import type { Called } from '../../tools/contract.ts'
import type { Account, Line, Purpose, Reservation } from '../rows.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import type { DueStore, NewDue } from '../stores/dues.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { Key, ReservationStore } from '../stores/reservations.ts'
import type { Bill } from './bills.ts'
import { billsOf, nothing } from './bills.ts'
import { chargeOf, countSpent, ownAccountIds, postingOf, recordShares } from './charging.ts'
import type { Known } from './known.ts'
import { dueOfAsked, dueOfCall, dueOfMedia, dueOfRun } from './new-dues.ts'
import { priceOf, shownPrice, targetsOfTool } from './pricing.ts'
import type { Projects } from './projects.ts'
import type { Ended } from './spent.ts'

export type Settlement = ReturnType<typeof createSettlement>

const BATCH = 500

interface Deps extends Pick<Kernel, 'facts' | 'knex' | 'log'> {
  known: Known
  projects: Projects
  accountStore: AccountStore
  reservationStore: ReservationStore
  dueStore: DueStore
  ledgerStore: LedgerStore
  capStore: CapStore
}

/**
 * Charges what runs and calls of tools used, by the facts about them, and gives back what they had reserved beyond that. A
 * run without a reservation began while it cost nothing, and costs nothing.
 */
export function createSettlement(deps: Deps) {
  const {
    known,
    projects,
    knex,
    facts,
    log,
    accountStore,
    reservationStore,
    dueStore,
    ledgerStore,
    capStore
  } = deps

  /**
   * What runs and calls came to, in the transaction that handles the facts of them. All of it together, so that accounts are
   * locked once for many, and in one order.
   */
  async function told(of: readonly Fact<Ended | Called | Asked | AskedMedia>[], trx: Trx): Promise<void> {
    const due: NewDue[] = []
    for (const { name, project, data } of of)
      if ('steps' in data) due.push(dueOfRun(project, data, name === 'runs.completed'))
      else if ('purpose' in data) due.push(dueOfAsked(project, data))
      else if ('medium' in data) due.push(dueOfMedia(project, data))
      // Most cost nothing.
      else if (priceOf(await known.prices(project), 'tool', targetsOfTool(data.toolName)))
        due.push(dueOfCall(project, data))
    // Elsewhere few, if any, began while it cost something.
    const [costing, others] = [due.filter(costs), due.filter((one) => !costs(one))]
    const open = others.length > 0 ? [...costing, ...(await dueStore.listOpen(trx, others))] : costing
    if (open.length > 0) await settle(trx, open, billsOf)
  }

  const costs = ({ project }: NewDue): boolean => projects.cost(project)

  /** Charges what a version before this one noted. What cannot be charged waits for the next time. */
  async function work(): Promise<void> {
    let due: readonly NewDue[] = []
    do {
      due = await dueStore.list(BATCH, due.at(-1))
      if (due.length > 0) await settleNoted(due)
    } while (due.length === BATCH)
  }

  /** One that fails does not keep the others from being charged. */
  async function settleNoted(due: readonly NewDue[]): Promise<void> {
    try {
      await knex.transaction(async (trx) => {
        const taken = await dueStore.take(trx, due)
        if (taken.length > 0) await settle(trx, taken, billsOf)
      })
    } catch (error) {
      // Else the database is looked for once for each.
      await knex.raw('select 1')
      if (due.length > 1) for (const one of due) await settleNoted([one])
      else log.error({ err: error, reservation: due[0]?.id }, 'a reservation could not be charged')
    }
  }

  /**
   * Nobody else posts to the accounts meanwhile, but runs begin: rows of accounts are locked last, and together. Where something
   * cost more than was reserved for it, they are locked before, for what is available counts.
   */
  async function settle(
    trx: Trx,
    open: readonly (Key | NewDue)[],
    billsFor: (of: Reservation) => readonly Bill[]
  ): Promise<void> {
    const own = await ownAccountIds(known, open)
    const ours = [...own.values()].flatMap(({ earned, absorbed }) => [earned, absorbed])
    await accountStore.lockPostings(trx, open, ours)
    const { reservations, accounts: read, prices, projectsWithCaps } = await dueStore.lock(trx, open, ours)
    if (reservations.length === 0) return
    const byProject = Map.groupBy(prices, ({ project }) => project)
    const bills = reservations.map((reservation) => {
      const { project, createdAt } = reservation
      const all = billsFor(reservation).map((bill) => ({
        bill,
        due: bill.isPosted ? undefined : bill.cost(byProject.get(project) ?? [], createdAt)
      }))
      return { reservation, all }
    })
    const isShort = bills.some(
      ({ reservation, all }) =>
        all.reduce((sum, { due }) => sum + (due?.amount ?? 0n), 0n) > reservation.amount
    )
    const ids = [...read.keys()]
    const accounts = isShort ? await accountStore.lock(trx, ids) : read
    const changes = new Map(ids.map((id) => [id, { balance: 0n, reserved: 0n }]))
    const lines = new Map<Account, Line[]>()
    const counted: Counted[] = []
    const ownOf = (project: string) => {
      const { earned, absorbed } = own.get(project) ?? {}
      return { earned: given(accounts, earned), absorbed: given(accounts, absorbed) }
    }
    for (const [reservation, { bill, due }] of bills.flatMap(({ reservation, all }) =>
      all.map((one) => [reservation, one] as const)
    )) {
      if (bill.isOver && reservation.isSettled) continue
      const account = given(accounts, reservation.accountId)
      const released = release(reservation, bill.isOver ? reservation.amount : (due?.amount ?? 0n))
      account.reserved -= released
      given(changes, account.id).reserved -= released
      if (bill.isOver) reservation.isSettled = true
      const { isOver: _, isPosted: __, cost: ___, ...what } = bill
      const { agentId, sessionId, isRun, id, project } = reservation
      const about = { agentId, sessionId, runId: isRun ? id : null, ...what }
      const made =
        due && chargeOf(due.amount, account, ownOf(project), { ...about, price: shownPrice(due.price) })
      if (made && made.lines.length > 0) {
        if (!lines.has(account)) lines.set(account, [])
        lines.get(account)?.push(...made.lines)
      }
      counted.push({ reservation, released, about, charged: made?.charged ?? 0n })
    }
    const postings = [...lines].flatMap(
      ([account, all]) => postingOf(account, all, ownOf(account.project)) ?? []
    )
    for (const { account, amount } of postings.flatMap(({ lines }) => lines))
      given(changes, account.id).balance += amount
    await ledgerStore.insertAll(trx, postings, {
      ...dueStore.settle(reservations),
      ...accountStore.updateParts(changes)
    })
    for (const project of projectsWithCaps) await count(trx, project, counted)
  }

  /** In the caps that count it, which are locked behind accounts. */
  async function count(trx: Trx, project: string, counted: readonly Counted[]): Promise<void> {
    const of = counted.filter(({ reservation }) => reservation.project === project)
    const caps = await capStore.lock(
      trx,
      project,
      of.map(({ reservation }) => reservation.owner),
      of.flatMap(({ reservation }) => reservation.caps)
    )
    for (const { reservation, released, about, charged } of of) {
      for (const cap of caps) if (reservation.caps.includes(cap.id)) cap.reserved -= released
      countSpent(caps, reservation, about, charged)
    }
    await recordShares({ facts }, trx, caps)
    if (caps.length > 0) await capStore.update(trx, caps)
  }

  /** What process deaths left behind of calls outside of runs: given back, uncharged. */
  async function releaseLost(): Promise<number> {
    const lost = await reservationStore.listLost(24, 200)
    if (lost.length > 0) await knex.transaction((trx) => settle(trx, lost, () => [nothing]))
    return lost.length
  }

  return { told, work, releaseLost }
}

/** What was charged for a reservation, for caps. */
interface Counted {
  readonly reservation: Reservation
  readonly released: bigint
  readonly about: Purpose
  readonly charged: bigint
}

function given<T>(all: ReadonlyMap<string, T>, id: string | undefined): T {
  const found = all.get(id ?? '')
  if (!found) throw new Error('An account of the ledger is missing')
  return found
}

/** Takes so much out of what is reserved, as far as it goes; what that was. */
function release(reservation: Reservation, amount: bigint): bigint {
  const released = amount < reservation.amount ? amount : reservation.amount
  reservation.amount -= released
  reservation.calls -= amount < reservation.calls ? amount : reservation.calls
  if (reservation.calls > reservation.amount) reservation.calls = reservation.amount
  return released
}
