import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import { formatAmount } from '../amounts.ts'
import type { Account, Line, LockedCap, Posting, Purpose, Reservation } from '../rows.ts'
import { lineOf } from '../rows.ts'
import { counts } from '../stores/caps.ts'
import type { Known } from './known.ts'

/** For work that no request asked for. */
export const actorOf = ({ project, owner }: Owned): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})

/** The accounts of a project that a charge touches beside the person's. */
export interface OwnAccounts {
  readonly earned: Account
  readonly absorbed: Account
}

export async function ownAccountIds({ ownAccount }: Known, of: readonly { readonly project: string }[]) {
  const ids = new Map<string, Readonly<Record<keyof OwnAccounts, string>>>()
  for (const project of new Set(of.map(({ project }) => project)))
    ids.set(project, {
      earned: await ownAccount(project, 'earned'),
      absorbed: await ownAccount(project, 'absorbed')
    })
  return ids
}

/**
 * What something cost, in the account of who owes it. What that has not got, without what it reserved for others, the platform
 * absorbs: a balance is never below zero.
 */
export function chargeOf(
  cost: bigint,
  account: Account,
  { absorbed }: OwnAccounts,
  purpose: NonNullable<Line['purpose']>
): { lines: readonly Line[]; charged: bigint } {
  const available = account.balance - account.reserved
  const charged = cost < available ? cost : available
  const { key: _, ...about } = purpose
  const lines: Line[] = []
  if (charged > 0n) lines.push(lineOf(account, -charged, { purpose }))
  if (charged < cost)
    lines.push(lineOf(absorbed, charged - cost, { purpose: charged > 0n ? about : purpose }))
  return { lines, charged }
}

/** A transaction of what was charged to one account; undefined where that is nothing. */
export function postingOf(
  { project, owner }: Account,
  lines: readonly Line[],
  { earned }: OwnAccounts
): Posting | undefined {
  if (lines.length === 0) return undefined
  const sum = lines.reduce((sum, { amount }) => sum - amount, 0n)
  const key = `usage:${newId('reference')}`
  return { project, owner, kind: 'usage', key, actor: owner, lines: [...lines, lineOf(earned, sum)] }
}

/** Counts a charge in the caps of its owner, which are locked. */
export function countSpent(
  caps: readonly LockedCap[],
  { owner, caps: reserved }: Pick<Reservation, 'owner' | 'caps'>,
  purpose: Purpose,
  charged: bigint
): void {
  // What is spent by tokens is known by what was reserved alone.
  const isCounted = (cap: LockedCap) =>
    cap.token === null ? cap.owner === owner && counts(cap, purpose) : reserved.includes(cap.id)
  for (const cap of caps) if (isCounted(cap)) cap.spent += charged
}

const SHARES = [80, 100] as const

/** Records that caps are nearly or wholly used up, once each in a window; those that are to be written anew. */
export async function recordShares(
  { facts }: Pick<Kernel, 'facts'>,
  trx: Trx,
  caps: readonly LockedCap[],
  reached: readonly string[] = []
): Promise<void> {
  for (const cap of caps)
    for (const share of SHARES) {
      const isThere = cap.spent * 100n >= cap.limit * BigInt(share) || reached.includes(cap.id)
      if (!isThere || cap.told >= share) continue
      cap.told = share
      const { id, owner, agentId, sessionId, limit, spent, window } = cap
      const shown = { limit: formatAmount(limit), spent: formatAmount(spent), window }
      const data = { id, agentId, sessionId, ...shown }
      const name = share === 80 ? 'credits.cap_approached' : 'credits.cap_reached'
      await facts.record(trx, name, actorOf(cap), { subject: id, owner, data })
    }
}
