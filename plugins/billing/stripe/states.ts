import type { Stripe } from 'stripe'
import { creditsOf, shareOf } from '../amounts.ts'
import type { InvoiceState, ProviderState, SubscriptionState } from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'

const timeOf = (seconds: number) => new Date(seconds * 1_000).toISOString()
const orNull = (seconds: number | null | undefined) => (seconds ? timeOf(seconds) : null)
export const idOf = (it: string | { readonly id: string } | null | undefined): string | null =>
  typeof it === 'string' ? it : (it?.id ?? null)

const statuses: Readonly<Record<string, SubscriptionState['status']>> = {
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  // It was not paid for, and is not over.
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'canceled'
}

/** Undefined for one that has not begun, or never did. */
export function subscriptionState(it: Stripe.Subscription, plan: Plan): SubscriptionState | undefined {
  const status = statuses[it.status]
  const item = it.items.data[0]
  if (!status || !item) return undefined
  const { current_period_start: start, current_period_end: end } = item
  return {
    providerId: it.id,
    planId: plan.id,
    status,
    anchorAt: timeOf(it.billing_cycle_anchor),
    trialEndsAt: orNull(it.trial_end),
    currentPeriodStart: timeOf(start),
    currentPeriodEnd: timeOf(end),
    cancelAtPeriodEnd:
      status !== 'canceled' && (it.cancel_at_period_end || (it.cancel_at !== null && it.cancel_at <= end)),
    canceledAt: status === 'canceled' ? orNull(it.ended_at ?? it.canceled_at) : null,
    nextPlanId: null
  }
}

/** What was paid, and what of that went back. */
export interface Payment {
  readonly id: string
  readonly refunded: number
  readonly isDisputed: boolean
}

export const priceIdOf = (line: Stripe.InvoiceLineItem): string | null =>
  idOf(line.pricing?.price_details?.price)
const isProration = (line: Stripe.InvoiceLineItem): boolean =>
  line.parent?.subscription_item_details?.proration ?? line.parent?.invoice_item_details?.proration ?? false

/** The line of a plan: what is charged for it, in full before in part. */
export const planLineOf = (it: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  it.lines.data
    .filter((line) => priceIdOf(line) !== null && line.amount >= 0)
    .sort((a, b) => Number(isProration(a)) - Number(isProration(b)) || b.amount - a.amount)[0]

const invoiceStatuses: Readonly<Record<string, InvoiceState['status']>> = {
  open: 'open',
  paid: 'paid',
  void: 'void',
  uncollectible: 'uncollectible'
}
const reasons: Readonly<Record<string, InvoiceState['reason']>> = {
  subscription_create: 'subscription_create',
  subscription_cycle: 'subscription_cycle'
}

/** Undefined for a draft, and for what has nothing to do with plans. */
export function invoiceState(
  it: Stripe.Invoice,
  plan: Plan | undefined,
  payment: Payment | undefined,
  checkoutId: string | null
): InvoiceState | undefined {
  const status = invoiceStatuses[it.status ?? '']
  const subscriptionId = idOf(it.parent?.subscription_details?.subscription)
  if (!status || subscriptionId === null || !it.id) return undefined
  const line = planLineOf(it)
  return {
    providerId: it.id,
    status,
    reason: reasons[it.billing_reason ?? ''] ?? 'subscription_update',
    description: plan?.name ?? it.number ?? it.id,
    amount: Math.max(0, it.total),
    currency: it.currency,
    amountPaid: it.amount_paid,
    amountRefunded: Math.min(payment?.refunded ?? 0, it.amount_paid),
    isDisputed: payment?.isDisputed ?? false,
    credits: plan && line ? creditsFor(it, line, plan) : '0',
    subscriptionId,
    planId: plan?.id ?? null,
    topupKey: null,
    checkoutId,
    periodStart: orNull(line?.period.start),
    periodEnd: orNull(line?.period.end),
    dueAt: orNull(it.due_date),
    paidAt: status === 'paid' ? timeOf(it.status_transitions.paid_at ?? it.created) : null,
    url: it.hosted_invoice_url ?? null,
    paymentId: payment?.id ?? null
  }
}

/**
 * Credits follow the money: what is paid from a balance, which is money for something else that was given back, brings none, or
 * changing to and fro would bring some each time. Nor does a trial, or what is free by a coupon.
 */
function creditsFor(it: Stripe.Invoice, line: Stripe.InvoiceLineItem, plan: Plan): string {
  const discount = (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const net = line.amount - discount
  const paid = Math.min(net, it.status === 'paid' ? it.amount_paid : net)
  if (isProration(line)) return creditsOf(shareOf(plan.credits, Math.min(paid, line.amount), plan.price))
  return creditsOf(shareOf(plan.credits, paid, net))
}

/** Of a pack that was bought: the session stands for its invoice, as soon as the person is through with it. */
export function topupState(
  it: Stripe.Checkout.Session,
  payment: Payment | undefined
): InvoiceState | undefined {
  const { checkoutId = null, packKey, credits, name } = it.metadata ?? {}
  if (it.mode !== 'payment' || it.status !== 'complete' || !packKey || !credits) return undefined
  const isPaid = it.payment_status === 'paid'
  const amount = it.amount_total ?? 0
  return {
    providerId: it.id,
    status: isPaid ? 'paid' : 'open',
    reason: 'topup',
    description: name ?? packKey,
    amount,
    currency: it.currency ?? '',
    amountPaid: isPaid ? amount : 0,
    amountRefunded: isPaid ? Math.min(payment?.refunded ?? 0, amount) : 0,
    isDisputed: payment?.isDisputed ?? false,
    credits,
    subscriptionId: null,
    planId: null,
    topupKey: packKey,
    checkoutId,
    periodStart: null,
    periodEnd: null,
    dueAt: null,
    paidAt: isPaid ? new Date().toISOString() : null,
    url: null,
    paymentId: payment?.id ?? idOf(it.payment_intent)
  }
}

/** How a subscription that Stripe no longer knows ends here. */
export const goneState = (row: SubscriptionRow): ProviderState => ({
  subscriptions: [
    {
      ...{ providerId: row.providerId, planId: row.planId, anchorAt: row.anchorAt },
      ...{ trialEndsAt: row.trialEndsAt, currentPeriodStart: row.currentPeriodStart },
      currentPeriodEnd: row.currentPeriodEnd,
      status: 'canceled',
      cancelAtPeriodEnd: false,
      canceledAt: new Date().toISOString(),
      nextPlanId: null
    }
  ]
})
