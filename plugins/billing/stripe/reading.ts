import type { Stripe } from 'stripe'
import type { Customer, InvoiceState, ProviderState, Subject, SubscriptionState } from '../provider.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { StripeClient } from './client.ts'
import type { Payment } from './states.ts'
import { idOf, invoiceState, planLineOf, priceIdOf, subscriptionState, topupState } from './states.ts'

/** How things are at Stripe now, of a customer and of nobody else. */
export function createReading({ find }: StripeClient) {
  /** What a price stands for never changes. */
  const planIds = new Map<string, string | null>()

  async function planOf(customer: Customer, price: Stripe.Price | string | null): Promise<Plan | undefined> {
    const id = idOf(price)
    if (id === null) return undefined
    if (!planIds.has(id)) {
      const full = typeof price === 'object' ? price : await find((stripe) => stripe.prices.retrieve(id))
      planIds.set(id, full?.metadata.planId ?? null)
    }
    const planId = planIds.get(id)
    return planId ? customer.plan(planId) : undefined
  }

  async function payment(id: string | null): Promise<Payment | undefined> {
    if (id === null) return undefined
    const found = await find((stripe) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
    const charge = found?.latest_charge
    if (!found || !charge || typeof charge === 'string')
      return found && { id, refunded: 0, isDisputed: false }
    return { id, refunded: charge.amount_refunded, isDisputed: charge.disputed && (await isOpen(charge.id)) }
  }

  /** A dispute that was won is none any more. */
  async function isOpen(charge: string): Promise<boolean> {
    const found = await find((stripe) => stripe.disputes.list({ charge, limit: 10 }))
    return (found?.data ?? []).some(({ status }) => status !== 'won' && status !== 'warning_closed')
  }

  const isOf = (customer: Customer, it: { customer: unknown }) =>
    customer.providerId !== null && idOf(it.customer as string) === customer.providerId

  async function subscription(customer: Customer, id: string): Promise<SubscriptionState[]> {
    const found = await find((stripe) => stripe.subscriptions.retrieve(id))
    return found && isOf(customer, found) ? subscriptionOf(customer, found) : []
  }
  async function subscriptionOf(customer: Customer, it: Stripe.Subscription): Promise<SubscriptionState[]> {
    const plan = await planOf(customer, it.items.data[0]?.price ?? null)
    const state = plan && subscriptionState(it, plan)
    return state ? [state] : []
  }

  async function invoice(customer: Customer, id: string, checkoutId: string | null): Promise<ProviderState> {
    const found = await find((stripe) => stripe.invoices.retrieve(id, { expand: ['payments'] }))
    if (!found || !isOf(customer, found)) return {}
    const paid = found.payments?.data.find(({ status }) => status === 'paid')
    const line = planLineOf(found)
    const plan = await planOf(customer, line ? priceIdOf(line) : null)
    const state = invoiceState(found, plan, await payment(idOf(paid?.payment.payment_intent)), checkoutId)
    const subscriptionId = state?.subscriptionId
    return {
      invoices: state ? [state] : [],
      subscriptions: subscriptionId ? await subscription(customer, subscriptionId) : []
    }
  }

  async function checkout(customer: Customer, id: string): Promise<ProviderState> {
    const found = await find((stripe) => stripe.checkout.sessions.retrieve(id))
    const checkoutId = found?.metadata?.checkoutId
    // A payment link of the same account may name anything of its own, but no customer and no metadata.
    if (!found || !checkoutId || !isOf(customer, found)) return {}
    const status = found.status === 'complete' ? 'completed' : found.status === 'expired' ? 'expired' : 'open'
    const isThrough = status === 'completed' && found.payment_status !== 'unpaid'
    const checkouts = [
      { id: checkoutId, status: status === 'completed' && !isThrough ? 'open' : status }
    ] as const
    if (found.mode === 'payment') {
      const topup = topupState(found, await payment(idOf(found.payment_intent)))
      return { checkouts, invoices: topup ? [topup] : [] }
    }
    const [subscriptionId, invoiceId] = [idOf(found.subscription), idOf(found.invoice)]
    const parts = invoiceId === null ? {} : await invoice(customer, invoiceId, checkoutId)
    if (parts.subscriptions?.length || subscriptionId === null) return { ...parts, checkouts }
    return { ...parts, checkouts, subscriptions: await subscription(customer, subscriptionId) }
  }

  /** What a payment was for. */
  async function ofPayment(customer: Customer, id: string): Promise<ProviderState> {
    const [invoices, sessions] = await Promise.all([
      find((stripe) =>
        stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: id }, limit: 1 })
      ),
      find((stripe) => stripe.checkout.sessions.list({ payment_intent: id, limit: 1 }))
    ])
    const invoiceId = idOf(invoices?.data[0]?.invoice)
    if (invoiceId !== null) return invoice(customer, invoiceId, null)
    const session = sessions?.data[0]
    return session ? checkout(customer, session.id) : {}
  }

  const readers = {
    subscription: async (customer: Customer, id: string): Promise<ProviderState> => ({
      subscriptions: await subscription(customer, id)
    }),
    invoice: (customer: Customer, id: string) => invoice(customer, id, null),
    checkout,
    payment: ofPayment
  }

  async function fetchState(customer: Customer, subjects: readonly Subject[]): Promise<ProviderState> {
    const subscriptions = new Map<string, SubscriptionState>()
    const invoices = new Map<string, InvoiceState>()
    const checkouts: NonNullable<ProviderState['checkouts']>[number][] = []
    for (const { kind, id } of subjects) {
      const state = await readers[kind](customer, id)
      for (const it of state.subscriptions ?? []) subscriptions.set(it.providerId, it)
      for (const it of state.invoices ?? []) {
        const checkoutId = it.checkoutId ?? invoices.get(it.providerId)?.checkoutId ?? null
        invoices.set(it.providerId, { ...it, checkoutId })
      }
      checkouts.push(...(state.checkouts ?? []))
    }
    return { subscriptions: [...subscriptions.values()], invoices: [...invoices.values()], checkouts }
  }

  return { fetchState, subscriptionOf }
}
