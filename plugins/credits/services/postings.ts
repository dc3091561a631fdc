import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, digestOf, newId } from 'agent-platform'
import type { AccountKind, TransactionKind } from '../rows.ts'
import { amountOf, shown } from '../schemas/amount.ts'
import type { Entry, NewPosting } from '../schemas/ledger.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { MovementStore } from '../stores/movements.ts'
import { entryOf } from './accounts.ts'
import type { Known } from './known.ts'

export type PostingService = ReturnType<typeof createPostingService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  known: Known
  accountStore: AccountStore
  ledgerStore: LedgerStore
  movementStore: MovementStore
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

/** What a pack that sells credits asks for. */
interface Movement {
  readonly owner: string
  readonly amount: string
  readonly key: string
  readonly reason: string
}

const facts = {
  grant: 'credits.granted',
  debit: 'credits.debited',
  topup: 'credits.bought'
} as const

/** Credits that the platform gives and takes. */
export function createPostingService(deps: Deps) {
  const { known, transaction, accountStore, ledgerStore, movementStore } = deps

  /**
   * Posts it in that transaction, between the owner and an account of the platform; undefined where there was one for the
   * same before. 409 where the account has not that much.
   */
  async function post(trx: Trx, by: Principal, order: Order): Promise<string | undefined> {
    const { project } = by
    const { kind, owner, amount, reason, key, digest } = order
    const own = { accountId: await known.account(project, owner) }
    const other = { accountId: await known.ownAccount(project, order.other) }
    const [from, to, size] = amount < 0n ? [own, other, -amount] : [other, own, amount]
    const movement = { project, owner, kind, key, actor: by.id, reason, from, to, amount: size }
    const moved = await movementStore.insert(trx, { ...movement, ...(digest !== undefined && { digest }) })
    if (moved !== 'short') return moved?.id
    // What it repeats may have left too little.
    if (await ledgerStore.findByKey(project, key, trx)) return undefined
    const account = await accountStore.lockReserved(trx, own.accountId)
    throw conflict(
      `The account has ${shown(account ? account.balance - account.reserved : 0n)} credits available`,
      {
        code: 'credits_exhausted'
      }
    )
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

  async function topUp(trx: Trx, by: Principal, { owner, amount, key, reason }: Movement): Promise<boolean> {
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

  async function takeBack(
    trx: Trx,
    by: Principal,
    { owner, amount, key, reason }: Movement
  ): Promise<string> {
    const size = amountOf(amount, 'amount')
    const id = await known.account(by.project, owner)
    // In one go with the other side of it, as all that lock two accounts do.
    const ids = [id, await known.ownAccount(by.project, 'issued')]
    const account = (await accountStore.lock(trx, ids)).get(id)
    const available = account ? account.balance - account.reserved : 0n
    const taken = size < available ? size : available
    if (taken <= 0n) return '0'
    const order = {
      kind: 'topup',
      other: 'issued',
      owner,
      amount: -taken,
      reason,
      key: `back:${key}`
    } as const
    const transactionId = await post(trx, by, order)
    if (transactionId === undefined) return '0'
    const data = { transactionId, owner, amount: shown(taken), reason }
    await deps.facts.record(trx, facts.debit, by, { subject: transactionId, owner, data })
    return shown(taken)
  }

  return { post, order, topUp, takeBack }
}
