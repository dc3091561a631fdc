import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, invalid, newId, notFound, paymentRequired } from 'agent-platform'
import { MICRO } from '../amounts.ts'
import { amountOf, shown } from '../schemas/amount.ts'
import type { NewGift, Transfer, TransferQuery } from '../schemas/gifts.ts'
import type { StoredEntry } from '../schemas/ledger.ts'
import type { CreditSettings } from '../settings.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { LedgerStore } from '../stores/ledger.ts'
import type { MovementStore } from '../stores/movements.ts'
import type { Known } from './known.ts'

export type GiftService = ReturnType<typeof createGiftService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  known: Known
  settings: CreditSettings
  accountStore: AccountStore
  ledgerStore: LedgerStore
  movementStore: MovementStore
}

/** Credits that people give each other. */
export function createGiftService({
  known,
  transaction,
  facts,
  settings,
  accountStore,
  ledgerStore,
  movementStore
}: Deps) {
  async function give(by: Principal, { to, amount: text, message }: NewGift): Promise<Transfer> {
    const { project, owner } = by
    if (by.initiator !== undefined) throw forbidden('A service gives nothing away that is not its own')
    const amount = amountOf(text, '/amount')
    if (to === owner) throw invalid('/to', 'A gift is for someone else')
    const target = await accountStore.findPerson(project, to)
    if (!target) throw notFound('Account', { param: '/to' })
    const id = await known.account(project, owner)
    const transactionId = await transaction(async (trx) => {
      const accounts = await accountStore.lock(trx, [id, target.id])
      const [giver, receiver] = [accounts.get(id), accounts.get(target.id)]
      if (!giver || !receiver) throw new Error('An account of the ledger is missing')
      const given = await ledgerStore.findGiven(trx, project, id)
      if (given + amount > BigInt(settings.giftMost) * MICRO)
        throw conflict(`At most ${settings.giftMost} credits are given within 24 hours`, {
          code: 'gift_limit'
        })
      const available = giver.balance - giver.reserved
      if (available < amount)
        throw paymentRequired(`${shown(available)} credits are available`, { code: 'credits_exhausted' })
      const moved = await movementStore.insert(trx, {
        ...{
          project,
          owner,
          kind: 'gift',
          key: `gift:${newId('reference')}`,
          actor: by.id,
          reason: message ?? null
        },
        from: { accountId: id, name: owner },
        to: { accountId: target.id, name: to },
        amount
      })
      if (typeof moved !== 'object') throw new Error('A gift was given before')
      const transactionId = moved.id
      const data = { transactionId, owner, to, amount: shown(amount), reason: message ?? null }
      await facts.record(trx, 'credits.gifted', by, { subject: transactionId, owner, data })
      return transactionId
    })
    return transferOf(await ledgerStore.findEntry(project, transactionId, id))
  }

  async function list(by: Principal, { direction, ...page }: TransferQuery) {
    const accountId = await known.account(by.project, by.owner)
    const found = await ledgerStore.listGifts(by.project, accountId, direction, page)
    return { ...found, data: found.data.map(transferOf) }
  }

  return { give, list }
}

const transferOf = ({ id, amount, counterparty, reason, createdAt }: StoredEntry): Transfer => ({
  id,
  direction: amount.startsWith('-') ? 'sent' : 'received',
  counterparty: counterparty ?? '',
  amount: shown(amount.replace('-', '')),
  message: reason,
  createdAt
})
