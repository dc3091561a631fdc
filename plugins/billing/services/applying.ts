import type { Kernel, Principal, Trx } from 'agent-platform'
import { afterCommit } from 'agent-platform'
import type { Credits } from '../../credits/contract.ts'
import { creditsOf, microOf, shareOf } from '../amounts.ts'
import type { CheckoutState, Customer, InvoiceState, ProviderState, SubscriptionState } from '../provider.ts'
import type { CheckoutRow } from '../schemas/checkouts.ts'
import { checkouts } from '../schemas/checkouts.ts'
import type { InvoiceRow } from '../schemas/invoices.ts'
import { invoices } from '../schemas/invoices.ts'
import { subscriptions } from '../schemas/subscriptions.ts'
import type { BillingSettings } from '../settings.ts'
import type { BillingStore } from '../stores/billing.ts'
import type { EntitlementService } from './entitlements.ts'
import { checkoutOf, invoiceOf, subscriptionOf } from './showing.ts'

export type Applying = ReturnType<typeof createApplying>

interface Deps extends Pick<Kernel, 'facts'> {
  credits: Credits
  settings: BillingSettings
  billingStore: BillingStore
  entitlementService: EntitlementService
}

/** What follows from how things are at a provider: rows, facts and credits, in one transaction. Said twice, it follows once. */
export function createApplying(deps: Deps) {
  const { facts, credits, settings, billingStore, entitlementService } = deps

  /** The customer is locked. */
  async function apply(
    trx: Trx,
    by: Principal,
    customer: Customer,
    provider: string,
    { subscriptions = [], invoices = [], checkouts = [] }: ProviderState
  ): Promise<void> {
    for (const state of subscriptions) await applySubscription(trx, by, customer, provider, state)
    for (const state of invoices) await applyInvoice(trx, by, customer, provider, state)
    for (const state of checkouts) await applyCheckout(trx, by, customer, state)
  }

  async function applySubscription(
    trx: Trx,
    by: Principal,
    { project, owner, plan }: Customer,
    provider: string,
    { providerId, ...state }: SubscriptionState
  ): Promise<void> {
    const found = await billingStore.findSubscription(trx, { project, provider, providerId })
    // It does not come back; what is begun anew is another one.
    if (found?.status === 'canceled' && state.status !== 'canceled') return
    const now = new Date().toISOString()
    const pastDueSince = state.status === 'past_due' ? (found?.pastDueSince ?? now) : null
    const given = { ...state, pastDueSince }
    const id = providerId.startsWith('subscription_') ? providerId : undefined
    const { row, isChanged } = found
      ? await subscriptions.update(trx, found, given)
      : {
          row: await subscriptions.insert(trx, {
            ...given,
            ...(id !== undefined && { id }),
            project,
            owner,
            provider,
            providerId
          }),
          isChanged: true
        }
    if (!isChanged) return
    const data = subscriptionOf(row, plan, settings.graceDays)
    await facts.record(trx, 'billing.subscription_changed', by, { subject: row.id, owner, data })
    afterCommit(trx, () => entitlementService.changed({ project, owner }))
  }

  async function applyInvoice(
    trx: Trx,
    by: Principal,
    { project, owner }: Customer,
    provider: string,
    { providerId, subscriptionId, topupKey, ...state }: InvoiceState
  ): Promise<void> {
    const before = await billingStore.findInvoice(trx, { project, provider, providerId })
    const subscription =
      subscriptionId === null
        ? undefined
        : await billingStore.findSubscription(trx, { project, provider, providerId: subscriptionId })
    const links = { subscriptionId: subscription?.id ?? before?.subscriptionId ?? null, packKey: topupKey }
    const given = { ...state, ...links }
    const id = providerId.startsWith('invoice_') ? providerId : undefined
    const isNew = before === undefined
    const row = isNew
      ? await invoices.insert(trx, {
          ...given,
          ...(id !== undefined && { id }),
          project,
          owner,
          provider,
          providerId,
          creditsTaken: '0',
          creditsDue: '0'
        })
      : (await invoices.update(trx, before, updateOf(before, given))).row
    if (row.checkoutId !== null && row.checkoutId !== before?.checkoutId) {
      const checkout = await checkouts.find(trx, row.checkoutId)
      if (checkout?.owner === owner) await checkouts.update(trx, checkout, { invoiceId: row.id })
    }
    const record = (name: InvoiceFact, data: InvoiceRow) =>
      facts.record(trx, name, by, { subject: row.id, owner, data: invoiceOf(data) })
    if (isNew) await record('billing.invoice_opened', row)
    if (row.status === 'paid' && before?.status !== 'paid') {
      if (row.credits !== '0')
        await credits.topUp(trx, as(by, row), {
          owner,
          amount: row.credits,
          key: row.id,
          reason: row.description
        })
      await record('billing.invoice_paid', row)
    }
    if (row.status === 'void' && before?.status !== 'void') await record('billing.invoice_voided', row)
    const isRefunded =
      row.amountRefunded !== (before?.amountRefunded ?? 0) || row.isDisputed !== (before?.isDisputed ?? false)
    if (isRefunded) await record('billing.invoice_refunded', await takeBack(trx, by, row))
  }

  /** Credits go back with the money, as far as they are there; they return when a dispute was won. */
  async function takeBack(trx: Trx, by: Principal, row: InvoiceRow): Promise<InvoiceRow> {
    const { owner, id, amountPaid, amountRefunded, isDisputed, description } = row
    const due = shareOf(row.credits, isDisputed ? amountPaid : amountRefunded, amountPaid)
    const [before, taken] = [microOf(row.creditsDue), microOf(row.creditsTaken)]
    const actor = as(by, row)
    // How often it went there and back is a part of the key: each of its turns is posted once.
    const key = `${id}:${row.updatedAt}`
    let now = taken
    if (due > before) {
      const order = { owner, amount: creditsOf(due - before), key, reason: `Refund: ${description}` }
      now = taken + microOf(await credits.takeBack(trx, actor, order))
    } else if (due < before && taken > due) {
      const order = { owner, amount: creditsOf(taken - due), key: `won:${key}`, reason: description }
      if (await credits.topUp(trx, actor, order)) now = due
    }
    const changes = { creditsDue: creditsOf(due), creditsTaken: creditsOf(now) }
    return (await invoices.update(trx, row, changes)).row
  }

  async function applyCheckout(
    trx: Trx,
    by: Principal,
    { project, owner }: Customer,
    { id, status }: CheckoutState
  ): Promise<void> {
    const found = await checkouts.find(trx, id)
    if (found?.project !== project || found.owner !== owner) return
    // What was taken for expired may have been paid all the same.
    if (status === 'open' || status === found.status || found.status === 'completed') return
    const { row } = await checkouts.update(trx, found, { status })
    const name = status === 'completed' ? 'billing.checkout_completed' : 'billing.checkout_expired'
    await facts.record(trx, name, by, {
      subject: id,
      owner,
      data: checkoutOf(row as CheckoutRow)
    })
  }

  return { apply }
}

type InvoiceFact =
  | 'billing.invoice_opened'
  | 'billing.invoice_paid'
  | 'billing.invoice_voided'
  | 'billing.invoice_refunded'

/** What came with an invoice when it was paid stays, and it is not open again. */
function updateOf(before: InvoiceRow, given: Partial<InvoiceRow>): Partial<InvoiceRow> {
  const { credits, reason: _, ...others } = given
  const changes = { ...others, checkoutId: before.checkoutId ?? given.checkoutId ?? null }
  if (before.status !== 'paid') return { ...changes, credits }
  return { ...changes, status: 'paid', paidAt: before.paidAt, amountPaid: before.amountPaid }
}

/** In the project of the row. */
const as = (by: Principal, { project }: { project: string }): Principal => ({ ...by, project })
