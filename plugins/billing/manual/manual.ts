import type { Kernel } from 'agent-platform'
import { conflict, newId } from 'agent-platform'
import { creditsOf, shareOf } from '../amounts.ts'
import type {
  CheckoutOrder,
  Customer,
  InvoiceState,
  OpenedCheckout,
  PaymentProvider,
  ProviderState,
  SubscriptionState
} from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { InvoiceRow } from '../schemas/invoices.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import type { BillingSettings } from '../settings.ts'
import { advanceCustomer } from './clock.ts'
import { periodEnd, prorated } from './periods.ts'
import type { Draft } from './states.ts'
import { begun, invoiceState, subscriptionState } from './states.ts'

const DAY_MS = 86_400_000
const later = (days: number, from = Date.now()) => new Date(from + days * DAY_MS).toISOString()

interface Deps extends Pick<Kernel, 'platform'> {
  settings: BillingSettings
}

/** Invoices that an operator marks as paid: what was bought follows then. It works without anyone outside. */
export function createManualProvider({ platform, settings }: Deps): PaymentProvider {
  const { dueDays, graceDays } = settings
  const pageOf = (id?: string) =>
    `${platform.baseUrl}/console/billing${id === undefined ? '' : `?invoice=${id}`}`

  /** Nothing to pay is paid. */
  function draft(given: Draft): InvoiceState {
    const providerId = newId('invoice')
    const isFree = given.amount === 0
    return {
      providerId,
      status: isFree ? 'paid' : 'open',
      amountPaid: 0,
      amountRefunded: 0,
      isDisputed: false,
      subscriptionId: null,
      planId: null,
      topupKey: null,
      checkoutId: null,
      periodStart: null,
      periodEnd: null,
      dueAt: later(dueDays),
      paidAt: isFree ? new Date().toISOString() : null,
      url: pageOf(providerId),
      paymentId: null,
      ...given
    }
  }

  const ofPlan = ({ id, name, price, currency, credits }: Plan) => ({
    description: name,
    amount: price,
    currency,
    credits,
    planId: id
  })

  const voided = (rows: readonly InvoiceRow[]) => rows.map((row) => invoiceState(row, { status: 'void' }))
  const opened = ({ status, url, dueAt }: InvoiceState, state: ProviderState): OpenedCheckout => ({
    url: status === 'open' ? url : null,
    providerId: null,
    expiresAt: dueAt,
    state
  })

  async function createCheckout({ id, customer, plan, topup }: CheckoutOrder): Promise<OpenedCheckout> {
    if (topup) {
      const { key: topupKey, name: description, price: amount, currency, credits } = topup
      const invoice = draft({
        ...{ reason: 'topup', topupKey, description, amount, currency, credits, checkoutId: id }
      })
      return opened(invoice, { invoices: [invoice] })
    }
    if (!plan) throw new Error('A checkout is of a plan or of a pack')
    const completed = [{ id, status: 'completed' }] as const
    if (plan.trialDays > 0 && customer.mayTry) {
      const end = later(plan.trialDays)
      const trial = { status: 'trialing', anchorAt: end, trialEndsAt: end, currentPeriodEnd: end } as const
      const subscriptions = [{ ...begun(plan), ...trial }]
      return { url: null, providerId: null, expiresAt: null, state: { subscriptions, checkouts: completed } }
    }
    const invoice = draft({ ...ofPlan(plan), reason: 'subscription_create', checkoutId: id })
    if (invoice.status === 'open') return opened(invoice, { invoices: [invoice] })
    const subscription = begun(plan)
    const invoices = [{ ...invoice, subscriptionId: subscription.providerId }]
    return opened(invoice, { subscriptions: [subscription], invoices, checkouts: completed })
  }

  async function changePlan({ id, customer, plan }: CheckoutOrder & { plan: Plan }): Promise<OpenedCheckout> {
    const { subscription, openInvoices } = customer
    const paid = subscription && customer.plan(subscription.planId)
    if (!subscription || !paid) throw new Error('There is no subscription to change')
    if (paid.currency !== plan.currency)
      throw conflict('Plans of different currencies do not follow each other', { code: 'currency_differs' })
    const isDue = ({ reason }: InvoiceRow) => reason === 'subscription_cycle'
    if (subscription.status === 'past_due' || openInvoices.some(isDue))
      throw conflict('An invoice of the subscription is open: it is to be paid first', {
        code: 'invoice_open'
      })
    const checkouts = [{ id, status: 'completed' }] as const
    const done = (changes: Partial<SubscriptionState>): OpenedCheckout => ({
      url: null,
      providerId: null,
      expiresAt: null,
      state: { subscriptions: [subscriptionState(subscription, changes)], checkouts }
    })
    const isTrial = subscription.status === 'trialing'
    // Another plan to try goes on until the same day; one that nobody may try is bought.
    if (isTrial && plan.trialDays > 0) return done({ planId: plan.id, nextPlanId: null })
    const { currentPeriodStart: start, currentPeriodEnd: end } = subscription
    const price = isTrial ? 0 : paid.price
    const amount = prorated(plan.price, { price, start, end }, Date.now())
    if (plan.price <= price || amount <= 0) {
      const nextPlanId = plan.id === subscription.planId ? null : plan.id
      return done({ nextPlanId, cancelAtPeriodEnd: false })
    }
    // What it costs is of this day, so its period begins today, and it is to be paid while the one before lasts.
    const begins = new Date().toISOString()
    const ends = periodEnd(begins, begins, plan.interval)
    const [dueAt = end] = [later(dueDays), end, ends].sort()
    const invoice = draft({
      ...ofPlan(plan),
      ...{ amount, dueAt, periodStart: begins, periodEnd: ends },
      // As the money: or changing to and fro would bring more each time.
      credits: creditsOf(shareOf(plan.credits, amount, plan.price)),
      reason: 'subscription_update',
      checkoutId: id,
      subscriptionId: subscription.providerId
    })
    return opened(invoice, { invoices: [invoice] })
  }

  /** What an open invoice brings with it once it is paid. */
  function paid(customer: Customer, invoice: InvoiceRow): ProviderState {
    const paidAt = new Date().toISOString()
    const state = invoiceState(invoice, { status: 'paid', amountPaid: invoice.amount, paidAt })
    const checkouts =
      invoice.checkoutId === null ? [] : ([{ id: invoice.checkoutId, status: 'completed' }] as const)
    const { subscription } = customer
    const plan = invoice.planId === null ? undefined : customer.plan(invoice.planId)
    if (!plan) return { invoices: [state], checkouts }
    if (invoice.reason === 'subscription_create') {
      const next = begun(plan)
      const before = subscription ? [ended(subscription)] : []
      const links = { subscriptionId: next.providerId, periodStart: next.currentPeriodStart }
      const invoices = [{ ...state, ...links, periodEnd: next.currentPeriodEnd }]
      return { subscriptions: [...before, next], invoices, checkouts }
    }
    if (!subscription || invoice.subscriptionId !== subscription.id) return { invoices: [state], checkouts }
    if (invoice.reason === 'subscription_update') {
      // In a trial nothing was paid for that would count; elsewhere the days since it was asked for are a part of what it costs.
      const asked = subscription.status === 'trialing' ? paidAt : (invoice.periodStart ?? paidAt)
      if (Date.parse(subscription.currentPeriodStart) > Date.parse(asked))
        throw conflict(
          'The period that its price was counted for is over: void it, and choose the plan again',
          {
            code: 'invoice_outdated'
          }
        )
      const { providerId: _, ...changes } = begun(plan, subscription.providerId, asked)
      const { currentPeriodStart: periodStart, currentPeriodEnd } = changes
      const invoices = [{ ...state, periodStart, periodEnd: currentPeriodEnd }]
      return { subscriptions: [subscriptionState(subscription, changes)], invoices, checkouts }
    }
    const isDue = ({ id, subscriptionId, dueAt }: InvoiceRow) =>
      id !== invoice.id && subscriptionId === subscription.id && Date.parse(dueAt ?? '') <= Date.now()
    const status = customer.openInvoices.some(isDue) ? subscription.status : 'active'
    return { subscriptions: [subscriptionState(subscription, { status })], invoices: [state], checkouts }
  }

  const ended = (row: SubscriptionRow) =>
    subscriptionState(row, { status: 'canceled', canceledAt: new Date().toISOString(), nextPlanId: null })

  return {
    createCheckout,
    changePlan,
    async expireCheckout({ openInvoices }, { id }) {
      const ofIt = openInvoices.filter(({ checkoutId }) => checkoutId === id)
      return { invoices: voided(ofIt), checkouts: [{ id, status: 'expired' }] }
    },
    async cancel({ openInvoices }, subscription, atPeriodEnd) {
      if (atPeriodEnd) {
        const changes = { cancelAtPeriodEnd: true, nextPlanId: null }
        return { subscriptions: [subscriptionState(subscription, changes)] }
      }
      const ofIt = openInvoices.filter(({ subscriptionId }) => subscriptionId === subscription.id)
      return { subscriptions: [ended(subscription)], invoices: voided(ofIt) }
    },
    async resume(_, subscription) {
      return { subscriptions: [subscriptionState(subscription, { cancelAtPeriodEnd: false })] }
    },
    createPortal: async () => pageOf(),
    listPaymentMethods: async () => [],
    /** It is what is written down. */
    fetchState: async () => ({}),
    async settleInvoice(customer, invoice, outcome) {
      if ('refund' in outcome)
        return { invoices: [invoiceState(invoice, { amountRefunded: outcome.refund })] }
      if (outcome.status === 'paid') return paid(customer, invoice)
      const { checkoutId } = invoice
      const checkouts = checkoutId === null ? [] : ([{ id: checkoutId, status: 'expired' }] as const)
      return { invoices: voided([invoice]), checkouts }
    },
    advance: async (customer, now) => advanceCustomer(customer, now, { graceDays, draft, ofPlan, ended })
  }
}
