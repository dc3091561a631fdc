import type { Customer, InvoiceState, ProviderState, SubscriptionState } from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import { periodEnd } from './periods.ts'
import type { Draft } from './states.ts'
import { invoiceState, subscriptionState } from './states.ts'

interface Making {
  readonly graceDays: number
  draft(given: Draft): InvoiceState
  ofPlan(plan: Plan): Pick<Draft, 'description' | 'amount' | 'currency' | 'credits' | 'planId'>
  ended(row: SubscriptionRow): SubscriptionState
}

const DAY_MS = 86_400_000

/** What the clock makes of it: a period begins and is invoiced, an invoice is overdue, a grace period is over. One step at a time. */
export function advanceCustomer(
  { subscription: row, openInvoices, plan: planOf }: Customer,
  now: Date,
  { graceDays, draft, ofPlan, ended }: Making
): ProviderState {
  const isPast = (at: string | null) => at !== null && Date.parse(at) <= now.getTime()
  const ofIt = openInvoices.filter(({ subscriptionId }) => row !== null && subscriptionId === row.id)
  // What was never paid for begins nothing, and takes nothing away.
  const stale = openInvoices.filter(
    ({ dueAt, reason, subscriptionId }) =>
      isPast(dueAt) && (reason === 'subscription_update' || subscriptionId !== row?.id || row === null)
  )
  const invoices = stale.map((invoice) => invoiceState(invoice, { status: 'void' }))
  const checkouts = stale.flatMap(({ checkoutId: id }) => (id ? [{ id, status: 'expired' as const }] : []))
  const others = { invoices, checkouts }
  if (!row) return others

  const { pastDueSince } = row
  if (row.status === 'past_due') {
    const isOver = pastDueSince !== null && Date.parse(pastDueSince) + graceDays * DAY_MS <= now.getTime()
    if (!isOver) return others
    const unpaid = ofIt.map((invoice) => invoiceState(invoice, { status: 'void' }))
    return { subscriptions: [ended(row)], invoices: [...invoices, ...unpaid], checkouts }
  }
  const isOverdue = ofIt.some(({ dueAt, reason }) => reason !== 'subscription_update' && isPast(dueAt))
  if (isOverdue) return { ...others, subscriptions: [subscriptionState(row, { status: 'past_due' })] }
  if (!isPast(row.currentPeriodEnd)) return others
  if (row.cancelAtPeriodEnd) return { ...others, subscriptions: [ended(row)] }

  const plan = planOf(row.nextPlanId ?? row.planId)
  if (!plan) throw new Error(`The plan of the subscription ${row.id} is not known`)
  const start = row.currentPeriodEnd
  const end = periodEnd(row.anchorAt, start, plan.interval)
  const next = subscriptionState(row, {
    planId: plan.id,
    nextPlanId: null,
    status: 'active',
    currentPeriodStart: start,
    currentPeriodEnd: end
  })
  const invoice = draft({
    ...ofPlan(plan),
    reason: 'subscription_cycle',
    subscriptionId: row.providerId,
    periodStart: start,
    periodEnd: end
  })
  return { subscriptions: [next], invoices: [...invoices, invoice], checkouts }
}
