import type { Kernel, Principal, Trx } from 'agent-platform'
import { paymentRequired } from 'agent-platform'
import { formatAmount } from '../amounts.ts'
import type { LockedCap, Reservation } from '../rows.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import { counts } from '../stores/caps.ts'
import type { ReservationStore, Wanted } from '../stores/reservations.ts'
import { recordShares } from './charging.ts'
import type { Known } from './known.ts'

export type Reserving = ReturnType<typeof createReserving>

/** For what something is reserved. */
interface About extends Pick<Reservation, 'project' | 'id' | 'owner' | 'isRun'> {
  readonly agentId: string | null
  readonly sessionId?: string | null
  /** Who spends it: as that has a token that limits it, it counts there. */
  readonly by: Pick<Principal, 'id' | 'type' | 'project' | 'owner' | 'attenuation'>
}

interface Deps extends Pick<Kernel, 'knex' | 'facts'> {
  known: Known
  accountStore: AccountStore
  reservationStore: ReservationStore
  capStore: CapStore
}

/** What is reserved while something goes on. Within no transaction of a request: it stays when that fails. */
export function createReserving({ known, knex, facts, accountStore, reservationStore, capStore }: Deps) {
  /** Has at least that much reserved for calls of models; false where there is no room. What is more stays. */
  const atLeast = (about: About, amount: bigint) =>
    change(about, false, (now) => (amount > now ? amount - now : 0n))
  /** Has so much more reserved, for a call of a tool. */
  const more = (about: About, amount: bigint) => change(about, true, () => amount)

  async function change(about: About, isCall: boolean, moreThan: (now: bigint) => bigint): Promise<boolean> {
    const { project, id, owner } = about
    const before = await reservationStore.find(project, id)
    if (moreThan(forModels(before)) === 0n) return true
    const accountId = before?.accountId ?? (await known.account(project, owner))
    const ofTokens = await known.tokenCaps(about.by)
    return knex.transaction(async (trx) => {
      const found = await reservationStore.lock(trx, project, id)
      const account = await accountStore.lockReserved(trx, accountId)
      if (!account) return false
      const amount = moreThan(forModels(found))
      const { agentId, sessionId = null, isRun } = about
      const made = {
        project,
        id,
        owner,
        accountId,
        amount: 0n,
        calls: 0n,
        caps: [],
        agentId,
        sessionId,
        isRun
      }
      const reservation = found ?? { ...made, createdAt: '', isSettled: false }
      const counting = [...reservation.caps, ...ofTokens]
      const all = await capStore.lock(trx, project, [owner], counting)
      const caps = all.filter((cap) => counting.includes(cap.id) || counts(cap, about))
      // A cap that came after it began counts all of it from now on.
      const needOf = (cap: LockedCap) =>
        reservation.caps.includes(cap.id) ? amount : reservation.amount + amount
      const full = caps.filter((cap) => cap.limit - cap.spent - cap.reserved < needOf(cap))
      if (full.length > 0) await tell(trx, caps, full)
      if (full.length > 0 || account.balance - account.reserved < amount) return false
      for (const cap of caps) cap.reserved += needOf(cap)
      await accountStore.update(trx, new Map([[accountId, { balance: 0n, reserved: amount }]]))
      if (caps.length > 0) await capStore.update(trx, caps)
      const changed = {
        ...reservation,
        amount: reservation.amount + amount,
        calls: reservation.calls + (isCall ? amount : 0n),
        caps: caps.map((cap) => cap.id),
        isSettled: false
      }
      if (found) await reservationStore.update(trx, changed)
      else await reservationStore.insert(trx, changed)
      return true
    })
  }

  /** A cap that refuses is as good as used up. */
  async function tell(trx: Trx, caps: readonly LockedCap[], full: readonly LockedCap[]): Promise<void> {
    const reached = full.map(({ id }) => id)
    await recordShares({ facts }, trx, caps, reached)
    await capStore.update(trx, caps)
  }

  /** 402 where there is no room for it now: `credits_exhausted`, `cap_reached`. */
  async function check(wanted: Wanted): Promise<void> {
    const amount = BigInt(wanted.amount)
    const account = await accountStore.find(wanted.accountId)
    const available = account ? account.balance - account.reserved : 0n
    if (available < amount)
      throw paymentRequired(
        `This may cost ${formatAmount(amount)} credits, and ${formatAmount(available)} are left`,
        { code: 'credits_exhausted' }
      )
    if (wanted.caps.length === 0) return
    const isFull = await knex.transaction(async (trx) => {
      const found = await capStore.lock(trx, wanted.project, [wanted.owner], wanted.caps)
      const caps = found.filter((cap) => wanted.caps.includes(cap.id) || counts(cap, wanted))
      const full = caps.filter(({ limit, spent, reserved }) => limit - spent - reserved < amount)
      if (full.length > 0) await tell(trx, caps, full)
      return full.length > 0
    })
    if (isFull)
      throw paymentRequired(
        `This may cost ${formatAmount(amount)} credits, which a spend cap does not leave`,
        {
          code: 'cap_reached'
        }
      )
  }

  return { atLeast, more, check }
}

const forModels = (reservation: Reservation | undefined): bigint =>
  reservation ? reservation.amount - reservation.calls : 0n
