import type { Plan, Topup } from './schemas/catalogue.ts'
import type { CheckoutRow } from './schemas/checkouts.ts'
import type { InvoiceRow } from './schemas/invoices.ts'
import type { SubscriptionRow } from './schemas/subscriptions.ts'

// What a payment provider is asked for, and what it answers. It writes nothing down itself: it gives a state, and the pack
// makes of it what follows, once.

/** Someone who buys, as far as it is written down. */
export interface Customer {
  readonly id: string
  readonly project: string
  readonly owner: string
  /** By which the provider knows it; null before it was asked for anything. */
  readonly providerId: string | null
  /** The one that is not over, if there is one. */
  readonly subscription: SubscriptionRow | null
  readonly openInvoices: readonly InvoiceRow[]
  /** A plan's trial is for those who never had a subscription. */
  readonly mayTry: boolean
  /** A version of a plan, also one that is not in the catalogue any more. */
  plan(id: string): Plan | undefined
}

/** Times are ISO 8601, amounts minor units of a currency. */
export interface SubscriptionState {
  /** Of the provider; where it has none of its own, a `subscription_…`. */
  readonly providerId: string
  readonly planId: string
  readonly status: 'trialing' | 'active' | 'past_due' | 'canceled'
  readonly anchorAt: string
  readonly trialEndsAt: string | null
  readonly currentPeriodStart: string
  readonly currentPeriodEnd: string
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: string | null
  /** The plan of the next period, where that is another one. */
  readonly nextPlanId: string | null
}

export interface InvoiceState {
  readonly providerId: string
  readonly status: 'open' | 'paid' | 'void' | 'uncollectible'
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'topup'
  readonly description: string
  readonly amount: number
  readonly currency: string
  readonly amountPaid: number
  readonly amountRefunded: number
  readonly isDisputed: boolean
  /** Credits that come with its payment, a decimal string. Counts when it is first seen. */
  readonly credits: string
  /** By which the provider knows the subscription; null for a top-up, and for what begins with the payment. */
  readonly subscriptionId: string | null
  readonly planId: string | null
  readonly topupKey: string | null
  readonly checkoutId: string | null
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly dueAt: string | null
  readonly paidAt: string | null
  /** Where it can be seen or paid. */
  readonly url: string | null
  /** By which the provider knows the payment. */
  readonly paymentId: string | null
}

export interface CheckoutState {
  readonly id: string
  readonly status: 'open' | 'completed' | 'expired'
}

/** How things are at the provider now, as far as they were asked for. */
export interface ProviderState {
  readonly subscriptions?: readonly SubscriptionState[]
  readonly invoices?: readonly InvoiceState[]
  readonly checkouts?: readonly CheckoutState[]
}

export interface CheckoutOrder {
  /** Of the platform; good as an idempotency key. */
  readonly id: string
  readonly customer: Customer
  readonly plan?: Plan
  readonly topup?: Topup
  /** Where people come back to. */
  readonly returnUrl: string
}

export interface OpenedCheckout {
  /** Where it is paid; null where nothing is left to do. */
  readonly url: string | null
  /** By which the provider knows it. */
  readonly providerId: string | null
  /** By which it knows the customer, where it has just made one. */
  readonly customerId?: string
  readonly expiresAt: string | null
  readonly state?: ProviderState
}

export interface PaymentMethod {
  readonly id: string
  readonly type: string
  readonly brand: string | null
  readonly last4: string | null
  readonly expiresMonth: number | null
  readonly expiresYear: number | null
  readonly isDefault: boolean
}

/** Something changed at the provider: what, and whose it is. How it is now is asked for. */
export interface ProviderEvent {
  readonly id: string
  readonly type: string
  readonly customerId: string | null
  readonly subject: Subject
}
export interface Subject {
  readonly kind: 'subscription' | 'invoice' | 'checkout' | 'payment'
  readonly id: string
}

/**
 * Takes payments. May be asked for the same twice: a repetition has to come to the same, by the ids of checkouts and invoices. What
 * it cannot do now is a 502, 503 or 504; what a caller may not do a 409.
 */
export interface PaymentProvider {
  createCheckout(order: CheckoutOrder): Promise<OpenedCheckout>
  /** It can be paid no more. */
  expireCheckout(customer: Customer, checkout: CheckoutRow): Promise<ProviderState>
  /** Another plan; what it costs for the rest of the period is the provider's to say. */
  changePlan(order: CheckoutOrder & { readonly plan: Plan }): Promise<OpenedCheckout>
  cancel(customer: Customer, subscription: SubscriptionRow, atPeriodEnd: boolean): Promise<ProviderState>
  /** Takes a cancellation at the period's end back. */
  resume(customer: Customer, subscription: SubscriptionRow): Promise<ProviderState>
  createPortal(customer: Customer, returnUrl: string): Promise<string>
  listPaymentMethods(customer: Customer): Promise<readonly PaymentMethod[]>
  /** How these are now. */
  fetchState(customer: Customer, subjects: readonly Subject[]): Promise<ProviderState>
  /** Whose payment that is, where an event did not say. */
  findCustomer?(subject: Subject): Promise<string | null>
  /** What a webhook says, undefined for what is of no interest; 400 for one that was not signed by the provider just now. */
  readWebhook?(
    body: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>
  ): Promise<ProviderEvent | undefined>
  /** What happened since then, ISO 8601, for webhooks that did not come; the oldest first. */
  listEvents?(since: string): AsyncIterable<ProviderEvent>
  /** Where an operator, and no provider, says what became of an invoice; `refund` is the amount that was paid back in all. */
  settleInvoice?(
    customer: Customer,
    invoice: InvoiceRow,
    outcome: { readonly status: 'paid' | 'void' } | { readonly refund: number }
  ): Promise<ProviderState>
  /** Where nothing but the clock moves it: what is due at that time. */
  advance?(customer: Customer, now: Date): Promise<ProviderState>
}
