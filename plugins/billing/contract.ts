import type { Request } from 'agent-platform'
import type { Customer, PaymentMethod, PaymentProvider, ProviderEvent, ProviderState } from './provider.ts'
import type { Checkout } from './schemas/checkouts.ts'
import type { Invoice } from './schemas/invoices.ts'
import type { Subscription } from './schemas/subscriptions.ts'

export type { Customer, PaymentMethod, PaymentProvider, ProviderEvent, ProviderState }

/** Whose plan is asked for: a principal, or what names the owner of something. */
export interface Subscriber {
  readonly project: string
  readonly owner: string
}

/** What the plan of someone includes now. */
export interface Entitlements {
  /** Null without a plan. */
  readonly planKey: string | null
  readonly planId: string | null
  /** Of the subscription that the plan comes from; null where it comes from none. */
  readonly status: Subscription['status'] | null
  /** When it ends unless it is paid for, ISO 8601; null where nothing is due. */
  readonly graceEndsAt: string | null
  /** By name: whether it is included at all, or how many. */
  readonly values: Readonly<Record<string, boolean | number>>
}

/** For packs that give more to those who pay. */
export interface Billing {
  /** From memory, and anew after each change on any instance. */
  entitlements(who: Subscriber): Promise<Entitlements>
  /** Included, by `true` or a number above zero. */
  has(who: Subscriber, name: string): Promise<boolean>
  /** How many are included; 0 where it is not, null for any number. */
  limit(who: Subscriber, name: string): Promise<number | null>
  /** 402, code `plan_required`, for those whose plan does not include it. */
  check(who: Subscriber, name: string): Promise<void>
  /** The same as a `preHandler` of a route, for its caller. */
  gate(name: string): (request: Request) => Promise<void>
}

/** How much of what plans limit is in use. */
export interface Meter {
  /** The name that plans know it by. */
  readonly entitlement: string
  used(who: Subscriber): Promise<number>
}

declare module 'agent-platform' {
  interface Services {
    billing: Billing
  }
  interface Points {
    /** Takes money, or says how it is asked for. By key; the setting `provider` names the one for what is new. */
    'billing.provider': PaymentProvider
    'billing.meter': Meter
  }
  interface Facts {
    'billing.checkout_opened': Checkout
    'billing.checkout_completed': Checkout
    'billing.checkout_expired': Checkout
    /** It begins, goes on, changes its plan or its status, or ends. */
    'billing.subscription_changed': Subscription
    'billing.invoice_opened': Invoice
    'billing.invoice_paid': Invoice
    'billing.invoice_voided': Invoice
    /** All of it or a part was paid back, or its payment is disputed. */
    'billing.invoice_refunded': Invoice
  }
}
