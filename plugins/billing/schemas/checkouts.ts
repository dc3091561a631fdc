import { Closed, Data, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Currency, key, Minor } from './catalogue.ts'
import { Whose } from './subscriptions.ts'

export const Checkout = Type.Object(
  {
    id: Type.String(),
    owner: Type.String(),
    provider: Type.String({ examples: ['manual'] }),
    status: Type.Enum(['open', 'completed', 'expired'], {
      description: 'Completed when it is paid, or nothing was to be paid now'
    }),
    planId: OrNull(Type.String()),
    packKey: OrNull(Type.String()),
    amount: Minor('What was shown, in minor units of the currency'),
    currency: Currency,
    url: OrNull(Type.String({ description: 'Where the person pays; null where nothing is left to do' })),
    invoiceId: OrNull(Type.String({ description: 'As soon as there is one' })),
    expiresAt: OrNull(Time),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Checkout' }
)
export type Checkout = Static<typeof Checkout>
interface Hidden {
  readonly providerId: string | null
  /** Of the terms at that time, as they were shown. */
  readonly credits: string
}
export const checkouts = table<typeof Checkout, Hidden>('billing.checkout', Checkout, {
  also: ['providerId', 'credits']
})
export type CheckoutRow = Checkout & Hidden & { project: string }

const returnUrl = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'Where people come back to: a path of the platform, or an address of `BILLING_RETURN_URLS`'
  })
)
const tags = ['billing']
export const checkoutSubscription = {
  tags,
  summary: 'Start a plan checkout',
  description:
    'Of those who have a subscription it changes the plan; `status` is `completed` where that is done at once. 409 `already_subscribed` for the plan that they have.',
  body: Closed({ planKey: key('Of the catalog'), returnUrl }),
  response: { 201: Data(Checkout) }
}
export const checkoutTopup = {
  tags,
  summary: 'Buy a credit pack',
  body: Closed({ packKey: key('Of the catalog'), returnUrl }),
  response: { 201: Data(Checkout) }
}
export const readCheckout = {
  tags,
  summary: 'Get a checkout',
  params: Type.Object({ checkoutId: Type.String() }),
  response: { 200: Data(Checkout) }
}
export const openPortal = {
  tags,
  summary: 'Open the billing portal',
  body: Closed({ returnUrl }),
  response: {
    201: Data(
      Type.Object(
        { url: Type.String({ description: 'For this person alone; good for minutes' }) },
        { title: 'BillingPortal' }
      )
    )
  }
}

const PaymentMethod = Type.Object(
  {
    id: Type.String(),
    type: Type.String({ examples: ['card'] }),
    brand: OrNull(Type.String({ examples: ['visa'] })),
    last4: OrNull(Type.String({ examples: ['4242'] })),
    expiresMonth: OrNull(Type.Integer()),
    expiresYear: OrNull(Type.Integer()),
    isDefault: Type.Boolean()
  },
  { title: 'PaymentMethod' }
)
export const listPaymentMethods = {
  tags,
  summary: 'Saved payment methods',
  querystring: Type.Object({ ...Paging, ...Whose.properties }),
  response: { 200: Page(PaymentMethod) }
}
