import type { Owned, Principal } from 'agent-platform'
import type { Plan } from '../schemas/catalogue.ts'
import type { Checkout, CheckoutRow } from '../schemas/checkouts.ts'
import type { Invoice, InvoiceRow } from '../schemas/invoices.ts'
import type { Subscription, SubscriptionRow } from '../schemas/subscriptions.ts'

const DAY_MS = 86_400_000

/** Until when it counts without being paid for, ISO 8601; null where nothing is due. */
export const graceEnd = ({ pastDueSince }: SubscriptionRow, graceDays: number): string | null =>
  pastDueSince === null ? null : new Date(Date.parse(pastDueSince) + graceDays * DAY_MS).toISOString()

export function subscriptionOf(
  row: SubscriptionRow,
  planOf: (id: string) => Plan | undefined,
  graceDays: number
): Subscription {
  const { project: _, providerId: __, anchorAt: ___, pastDueSince: ____, planId, nextPlanId, ...shown } = row
  const plan = planOf(planId)
  if (!plan) throw new Error(`The plan ${planId} of a subscription is not known`)
  return { ...shown, plan, nextPlan: nextPlanId, graceEndsAt: graceEnd(row, graceDays) }
}

export function invoiceOf(row: InvoiceRow): Invoice {
  const { project: _, providerId: __, paymentId: ___, creditsDue: ____, ...shown } = row
  return shown
}

export function checkoutOf(row: CheckoutRow): Checkout {
  const { project: _, providerId: __, credits: ___, ...shown } = row
  return shown
}

/** Whose billing it is, for what the clock or a provider does. */
export const actorOf = ({ project, owner }: Owned): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})
