import { conflict } from 'agent-platform'
import type { CheckoutOrder, Customer, OpenedCheckout, PaymentProvider } from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { BillingSettings } from '../settings.ts'
import type { StripeClient } from './client.ts'
import { createEvents } from './events.ts'
import { createReading } from './reading.ts'
import { idOf } from './states.ts'

interface Deps {
  settings: BillingSettings
  stripeClient: StripeClient
}

/** Payments by Stripe: its pages for checkout and portal, its subscriptions, invoices and prorations. */
export function createStripeProvider({ settings, stripeClient }: Deps): PaymentProvider {
  const { ask, find, isConfigured } = stripeClient
  const { fetchState, subscriptionOf } = createReading(stripeClient)
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

  async function customerOf({ id, project, owner, providerId }: Customer): Promise<string> {
    if (providerId !== null) return providerId
    const made = await ask((stripe) =>
      stripe.customers.create(
        { metadata: { customerId: id, project, owner } },
        { idempotencyKey: `customer-${id}` }
      )
    )
    return made.id
  }

  const bought = (customer: Customer): string => {
    if (customer.providerId === null) throw conflict('Nothing was bought yet', { code: 'no_customer' })
    return customer.providerId
  }

  const planLine = async (plan: Plan) => ({ price: await priceOf(plan), quantity: 1 })

  async function createCheckout(order: CheckoutOrder): Promise<OpenedCheckout> {
    const { id, customer, plan, topup, returnUrl } = order
    const customerId = await customerOf(customer)
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
      const keyed = { idempotencyKey: `checkout-${id}` }
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
  async function changePlan({ id, customer, plan }: CheckoutOrder & { plan: Plan }): Promise<OpenedCheckout> {
    const { subscription } = customer
    if (!subscription) throw new Error('There is no subscription to change')
    const { price } = await planLine(plan)
    const changed = await ask(async (stripe) => {
      const { items } = await stripe.subscriptions.retrieve(subscription.providerId)
      return stripe.subscriptions.update(
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
    })
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
    async cancel(customer, { providerId }, atPeriodEnd) {
      const changed = await ask((stripe) =>
        atPeriodEnd
          ? stripe.subscriptions.update(providerId, { cancel_at_period_end: true })
          : stripe.subscriptions.cancel(providerId)
      )
      return { subscriptions: await subscriptionOf(customer, changed) }
    },
    async resume(customer, { providerId }) {
      const changed = await ask((stripe) =>
        stripe.subscriptions.update(providerId, { cancel_at_period_end: false })
      )
      return { subscriptions: await subscriptionOf(customer, changed) }
    },
    async createPortal(customer, return_url) {
      const session = await ask((stripe) =>
        stripe.billingPortal.sessions.create({ customer: bought(customer), return_url })
      )
      return session.url
    },
    async listPaymentMethods({ providerId }) {
      if (providerId === null) return []
      const [methods, customer] = await ask((stripe) =>
        Promise.all([
          stripe.customers.listPaymentMethods(providerId, { limit: 100 }),
          stripe.customers.retrieve(providerId)
        ])
      )
      const usual = customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method)
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
