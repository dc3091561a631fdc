import type { Kernel, Owned, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { TransactionKind } from '../rows.ts'
import { advisoryText } from './accounts.ts'

export type MovementStore = ReturnType<typeof createMovementStore>

/** From one account to another. */
export interface Movement extends Owned {
  readonly kind: TransactionKind
  readonly key: string
  /** Of what was asked for, to tell a repetition from something else under the same key. */
  readonly digest?: string
  readonly actor: string
  readonly reason?: string | null
  /** `name`: of a person, as the other side sees it. */
  readonly from: { readonly accountId: string; readonly name?: string }
  readonly to: { readonly accountId: string; readonly name?: string }
  /** Above zero. */
  readonly amount: bigint
}
interface Moved {
  readonly id: string | null
  readonly sides: number
  readonly fits: boolean
}

// Both sides of a movement: locked, looked at and changed in one statement. What is locked is read as it is now.
const heldText = advisoryText('select unnest(array[$1, $2]) as id')
const rowText = `select id, owner, kind, balance, reserved from credits.account
    where id = any (array[$1::text, $2]) and exists (select from held) order by id for update`
const sidesText = `select r.id, r.owner, l."entryId", l.amount, r.balance + l.amount as balance, l.counterparty,
      r.kind <> 'person' or l.amount > 0 or r.balance - r.reserved + l.amount >= 0 as fits
    from row r join (values ($1::text, $2::text, $3::bigint, $4::text), ($5, $6, $7, $8)) as l("accountId", "entryId", amount, counterparty)
      on l."accountId" = r.id`
const movedText = `insert into credits.transaction (project, id, owner, kind, key, digest, actor, reason)
    select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) filter (where fits) from side) = 2
    on conflict (project, key) do nothing returning project, id, kind, reason`
const sideEntryText = `insert into credits.entry (project, id, owner, "transactionId", "accountId", amount, balance, kind, reason,
      counterparty)
    select m.project, s."entryId", s.owner, m.id, s.id, s.amount, s.balance, m.kind, m.reason, s.counterparty from moved m, side s
    returning "accountId", amount`
const sideAccountText = `update credits.account a set balance = a.balance + x.amount from entry x where a.id = x."accountId"
    returning a.id`
const outcome = `select (select id from moved) as id, (select count(*) from side)::int as sides,
    coalesce((select bool_and(fits) from side), false) as fits`

/** Transactions between two accounts. */
export function createMovementStore({ hot }: Pick<Kernel, 'hot'>) {
  /**
   * Posts it: the id of its transaction, `short` where the account that it is taken from has not that much available, undefined
   * where there was one of its key. Keeps other postings away from both accounts, and locks them, until the transaction ends.
   */
  async function insert(trx: Trx, movement: Movement): Promise<{ id: string } | 'short' | undefined> {
    const { project, owner, kind, key, digest = null, actor, reason = null, from, to, amount } = movement
    const sides = [
      ...[from.accountId, newId('entry'), String(-amount), to.name ?? null],
      ...[to.accountId, newId('entry'), String(amount), from.name ?? null]
    ]
    const ids = [from.accountId, to.accountId]
    const transaction = [project, newId('transaction'), owner, kind, key, digest, actor, reason]
    const parts = {
      held: { text: heldText, values: ids },
      row: { text: rowText, values: ids },
      side: { text: sidesText, values: sides },
      moved: { text: movedText, values: transaction },
      entry: { text: sideEntryText, values: [] },
      account: { text: sideAccountText, values: [] }
    }
    const [made] = await hot.together<Moved>('credits.move', parts, outcome, trx)
    if (made?.sides !== 2) throw new Error('An account of the ledger is missing')
    if (made.id !== null) return { id: made.id }
    return made.fits ? undefined : 'short'
  }

  return { insert }
}
