import { newId } from 'agent-platform'
import type { InvoiceState, SubscriptionState } from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { InvoiceRow } from '../schemas/invoices.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import { periodEnd } from './periods.ts'

/** An invoice to open, as far as it is not like all of them. */
export type Draft = Pick<InvoiceState, 'reason' | 'description' | 'amount' | 'currency' | 'credits'> &
  Partial<InvoiceState>

/** A subscription as it is, with changes. */
export function subscriptionState(
  row: SubscriptionRow,
  changes: Partial<SubscriptionState> = {}
): SubscriptionState {
  const { providerId, planId, status, anchorAt, trialEndsAt, currentPeriodStart, currentPeriodEnd } = row
  const { cancelAtPeriodEnd, canceledAt, nextPlanId } = row
  return {
    ...{ providerId, planId, status, anchorAt, trialEndsAt, currentPeriodStart, currentPeriodEnd },
    ...{ cancelAtPeriodEnd, canceledAt, nextPlanId },
    ...changes
  }
}

/** An invoice as it is, with changes. */
export function invoiceState(row: InvoiceRow, changes: Partial<InvoiceState> = {}): InvoiceState {
  const { providerId, status, reason, description, amount, currency, amountPaid, amountRefunded } = row
  const { isDisputed, credits, subscriptionId, planId, packKey, checkoutId, periodStart, periodEnd } = row
  const { dueAt, paidAt, url, paymentId } = row
  return {
    ...{ providerId, status, reason, description, amount, currency, amountPaid, amountRefunded },
    ...{ isDisputed, credits, subscriptionId, planId, topupKey: packKey, checkoutId, periodStart, periodEnd },
    ...{ dueAt, paidAt, url, paymentId },
    ...changes
  }
}

/** What follows when it is paid. */
export function begun(
  { id: planId, interval }: Plan,
  id = newId('subscription'),
  start = new Date().toISOString()
): SubscriptionState {
  return {
    providerId: id,
    planId,
    status: 'active',
    anchorAt: start,
    trialEndsAt: null,
    currentPeriodStart: start,
    currentPeriodEnd: periodEnd(start, start, interval),
    cancelAtPeriodEnd: false,
    canceledAt: null,
    nextPlanId: null
  }
}
