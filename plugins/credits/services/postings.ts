import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, digestOf, newId } from 'agent-platform'
import type { AccountKind, TransactionKind } from '../rows.ts'
import { lineOf } from '../rows.ts'
import { amountOf, shown } from '../schemas/amount.ts'
import type { Entry, NewPosting } from '../schemas/ledger.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import { entryOf } from './accounts.ts'
import type { Known } from './known.ts'

export type PostingService = ReturnType<typeof createPostingService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  known: Known
  accountStore: AccountStore
  ledgerStore: LedgerStore
}

/** What comes from the platform, or goes to it. */
interface Order {
  readonly kind: TransactionKind
  readonly other: Exclude<AccountKind, 'person'>
  readonly owner: string
  /** Above zero: to the owner. */
  readonly amount: bigint
  readonly reason: string
  readonly key: string
  readonly digest?: string
}

const facts = {
  grant: 'credits.granted',
  debit: 'credits.debited',
  topup: 'credits.bought'
} as const

/** Credits that the platform gives and takes. */
export function createPostingService(deps: Deps) {
  const { known, transaction, accountStore, ledgerStore } = deps

  /**
   * Posts it in that transaction, between the owner and an account of the platform; undefined where there was one for the
   * same before. 409 where the account has not that much.
   */
  async function post(trx: Trx, by: Principal, order: Order): Promise<string | undefined> {
    const { project } = by
    const { kind, owner, amount, reason, key, digest } = order
    const ids = [await known.account(project, owner), await known.ownAccount(project, order.other)] as const
    const accounts = await accountStore.lock(trx, ids)
    const [person, other] = ids.map((id) => accounts.get(id))
    if (!person || !other) throw new Error('An account of the ledger is missing')
    // It may have waited for the one that it repeats.
    if (await ledgerStore.findByKey(project, key, trx)) return undefined
    if (person.balance - person.reserved + amount < 0n)
      throw conflict(`The account has ${shown(person.balance - person.reserved)} credits available`, {
        code: 'credits_exhausted'
      })
    const lines = [lineOf(person, amount), lineOf(other, -amount)]
    const posting = {
      project,
      owner,
      kind,
      key,
      actor: by.id,
      reason,
      lines,
      ...(digest !== undefined && { digest })
    }
    const [transactionId] = await ledgerStore.insertAll(trx, [posting])
    return transactionId
  }

  /** As an operator asks for it; what was made, now or before under the same reference. */
  async function order(by: Principal, kind: 'grant' | 'debit', input: NewPosting): Promise<Entry> {
    const { owner, reason, reference } = input
    const size = amountOf(input.amount, '/amount')
    const key = `${kind}:${reference ?? newId('reference')}`
    const digest = digestOf({ owner, reason, amount: String(size) })
    const other = kind === 'grant' ? 'issued' : 'earned'
    const amount = kind === 'grant' ? size : -size
    const before = reference === undefined ? undefined : await ledgerStore.findByKey(by.project, key)
    if (!before)
      await transaction(async (trx) => {
        const transactionId = await post(trx, by, { kind, other, owner, amount, reason, key, digest })
        if (transactionId === undefined) return
        const data = { transactionId, owner, amount: shown(size), reason }
        await deps.facts.record(trx, facts[kind], by, { subject: transactionId, owner, data })
      })
    const made = before ?? (await ledgerStore.findByKey(by.project, key))
    if (!made) throw new Error('A posting is not in the ledger')
    if (made.digest !== digest)
      throw conflict('Something else was posted under that reference', { code: 'reference_taken' })
    const accountId = await known.account(by.project, owner)
    return entryOf(await ledgerStore.findEntry(by.project, made.id, accountId))
  }

  async function topUp(
    trx: Trx,
    by: Principal,
    { owner, amount, key, reason }: { owner: string; amount: string; key: string; reason: string }
  ): Promise<boolean> {
    const size = amountOf(amount, 'amount')
    const order = {
      kind: 'topup',
      other: 'issued',
      owner,
      amount: size,
      reason,
      key: `topup:${key}`
    } as const
    const transactionId = await post(trx, by, order)
    if (transactionId === undefined) return false
    const data = { transactionId, owner, amount: shown(size), reason }
    await deps.facts.record(trx, facts.topup, by, { subject: transactionId, owner, data })
    return true
  }

  return { post, order, topUp }
}
