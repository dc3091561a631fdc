import type { Stripe } from 'stripe'
import type { CheckoutOrder, Customer, OpenedCheckout, PaymentProvider, ProviderState } from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import type { BillingSettings } from '../settings.ts'
import type { StripeClient } from './client.ts'
import { isCustomerMissing } from './client.ts'
import { createCustomers, noCustomer } from './customers.ts'
import { createEvents } from './events.ts'
import { createReading } from './reading.ts'
import { goneState, idOf } from './states.ts'

interface Deps {
  settings: BillingSettings
  stripeClient: StripeClient
}

/** Payments by Stripe: its pages for checkout and portal, its subscriptions, invoices and prorations. */
export function createStripeProvider({ settings, stripeClient }: Deps): PaymentProvider {
  const { ask, find, isConfigured } = stripeClient
  const { fetchState, subscriptionOf } = createReading(stripeClient)
  const { withCustomer } = createCustomers(stripeClient)
  const events = createEvents(stripeClient, settings.stripeToleranceSeconds)
  /** By plan: what they are there never changes. */
  const prices = new Map<string, string>()

  async function priceOf(plan: Plan): Promise<string> {
    const known = prices.get(plan.id)
    if (known !== undefined) return known
    const lookup_key = `agent-platform:${plan.id}`
    const price = await ask(async (stripe) => {
      const { data } = await stripe.prices.list({ lookup_keys: [lookup_key], active: true, limit: 1 })
      return (
        data[0] ??
        stripe.prices.create(
          {
            currency: plan.currency,
            unit_amount: plan.price,
            recurring: { interval: plan.interval },
            lookup_key,
            metadata: { planId: plan.id },
            product_data: { name: plan.name }
          },
          { idempotencyKey: `price-${plan.id}` }
        )
      )
    })
    prices.set(plan.id, price.id)
    return price.id
  }

  /** Changes a subscription; one that Stripe no longer knows, or has ended, is ended here, too. */
  async function changeSubscription(
    customer: Customer,
    row: SubscriptionRow,
    work: (stripe: Stripe, current: Stripe.Subscription) => Promise<Stripe.Subscription>
  ): Promise<{ changed?: Stripe.Subscription; state: ProviderState }> {
    const current = await find((stripe) => stripe.subscriptions.retrieve(row.providerId))
    if (!current) return { state: goneState(row) }
    if (current.status === 'canceled')
      return { state: { subscriptions: await subscriptionOf(customer, current) } }
    const changed = await ask((stripe) => work(stripe, current))
    return { changed, state: { subscriptions: await subscriptionOf(customer, changed) } }
  }

  const planLine = async (plan: Plan) => ({ price: await priceOf(plan), quantity: 1 })

  async function createCheckout(order: CheckoutOrder): Promise<OpenedCheckout> {
    return withCustomer(order.customer, (customerId) => openCheckout(order, customerId))
  }

  async function openCheckout(order: CheckoutOrder, customerId: string): Promise<OpenedCheckout> {
    const { id, customer, plan, topup, returnUrl } = order
    const back = new URL(returnUrl)
    back.searchParams.set('checkout', id)
    const trial = plan && plan.trialDays > 0 && customer.mayTry ? { trial_period_days: plan.trialDays } : {}
    const line = plan && (await planLine(plan))
    const both = {
      customer: customerId,
      client_reference_id: id,
      success_url: back.href,
      cancel_url: back.href
    }
    const session = await ask((stripe) => {
      // With another customer it is another request.
      const keyed = { idempotencyKey: `checkout-${id}-${customerId}` }
      if (plan && line) {
        const metadata = { checkoutId: id, planId: plan.id }
        const subscription_data = { metadata, ...trial }
        return stripe.checkout.sessions.create(
          { ...both, mode: 'subscription', line_items: [line], metadata, subscription_data },
          keyed
        )
      }
      if (!topup) throw new Error('A checkout is of a plan or of a pack')
      const { key: packKey, name, credits, currency, price: unit_amount } = topup
      const metadata = { checkoutId: id, packKey, credits, name }
      const price_data = { currency, unit_amount, product_data: { name } }
      return stripe.checkout.sessions.create(
        {
          ...both,
          mode: 'payment',
          line_items: [{ price_data, quantity: 1 }],
          metadata,
          payment_intent_data: { metadata }
        },
        keyed
      )
    })
    return {
      url: session.url,
      providerId: session.id,
      customerId,
      expiresAt: new Date(session.expires_at * 1_000).toISOString()
    }
  }

  /** The rest of the period is charged, or kept as a balance, by Stripe. */
  async function changePlan(order: CheckoutOrder & { plan: Plan }): Promise<OpenedCheckout> {
    const { id, customer, plan } = order
    const { subscription } = customer
    if (!subscription) throw new Error('There is no subscription to change')
    const { price } = await planLine(plan)
    const { changed, state: ended } = await changeSubscription(customer, subscription, (stripe, { items }) =>
      stripe.subscriptions.update(
        subscription.providerId,
        {
          items: [{ id: items.data[0]?.id ?? '', price }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
          cancel_at_period_end: false,
          metadata: { planId: plan.id },
          // What nobody may try is not had by way of the trial of another plan.
          ...(subscription.status === 'trialing' && plan.trialDays === 0 && { trial_end: 'now' as const })
        },
        { idempotencyKey: `change-${id}` }
      )
    )
    // There is nothing left to change: the plan is bought anew.
    if (!changed) return { ...(await createCheckout(order)), state: ended }
    const invoiceId = idOf(changed.latest_invoice)
    const subjects = [
      { kind: 'subscription', id: changed.id } as const,
      ...(invoiceId === null ? [] : [{ kind: 'invoice', id: invoiceId } as const])
    ]
    const state = await fetchState(customer, subjects)
    const checkouts = [{ id, status: 'completed' }] as const
    return { url: null, providerId: null, expiresAt: null, state: { ...state, checkouts } }
  }

  const provider: PaymentProvider = {
    createCheckout,
    changePlan,
    fetchState,
    async expireCheckout(customer, { id, providerId }) {
      if (providerId === null) return { checkouts: [{ id, status: 'expired' }] }
      const found = await find((stripe) => stripe.checkout.sessions.retrieve(providerId))
      // One that was paid meanwhile is not to be had back; it is told of.
      if (found?.status === 'open') await ask((stripe) => stripe.checkout.sessions.expire(providerId))
      return found ? fetchState(customer, [{ kind: 'checkout', id: providerId }]) : {}
    },
    async cancel(customer, row, atPeriodEnd) {
      const { state } = await changeSubscription(customer, row, (stripe, { id }) =>
        atPeriodEnd
          ? stripe.subscriptions.update(id, { cancel_at_period_end: true })
          : stripe.subscriptions.cancel(id)
      )
      return state
    },
    async resume(customer, row) {
      const { state } = await changeSubscription(customer, row, (stripe, { id }) =>
        stripe.subscriptions.update(id, { cancel_at_period_end: false })
      )
      return state
    },
    async createPortal({ providerId }, return_url) {
      if (providerId === null) throw noCustomer()
      const create = (stripe: Stripe) =>
        stripe.billingPortal.sessions.create({ customer: providerId, return_url })
      const session = await ask(create).catch((error) => {
        throw isCustomerMissing(error) ? noCustomer() : error
      })
      return session.url
    },
    async listPaymentMethods({ providerId }) {
      if (providerId === null) return []
      const customer = await find((stripe) => stripe.customers.retrieve(providerId))
      if (!customer || customer.deleted) return []
      const methods = await ask((stripe) => stripe.customers.listPaymentMethods(providerId, { limit: 100 }))
      const usual = idOf(customer.invoice_settings.default_payment_method)
      return methods.data.map(({ id, type, card }) => ({
        id,
        type,
        brand: card?.brand ?? null,
        last4: card?.last4 ?? null,
        expiresMonth: card?.exp_month ?? null,
        expiresYear: card?.exp_year ?? null,
        isDefault: id === usual
      }))
    },
    async findCustomer({ kind, id }) {
      if (kind !== 'payment') return null
      const found = await find((stripe) => stripe.paymentIntents.retrieve(id))
      return idOf(found?.customer)
    }
  }
  return isConfigured ? { ...provider, ...events } : provider
}
