import { Closed, Data, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Credits, Currency, Minor } from './catalogue.ts'

const statuses = ['open', 'paid', 'void', 'uncollectible'] as const
export const Invoice = Type.Object(
  {
    id: Type.String(),
    owner: Type.String(),
    provider: Type.String({ examples: ['manual'] }),
    status: Type.Enum(statuses),
    reason: Type.Enum(['subscription_create', 'subscription_cycle', 'subscription_update', 'topup']),
    description: Type.String(),
    amount: Minor('In minor units of the currency'),
    currency: Currency,
    amountPaid: Minor('So far'),
    amountRefunded: Minor('Of what was paid'),
    isDisputed: Type.Boolean({ description: 'The payer’s bank asks for it back, or has it back' }),
    credits: Credits('Credits that come with its payment'),
    creditsTaken: Credits('Credits that were taken back with what was refunded'),
    subscriptionId: OrNull(Type.String()),
    planId: OrNull(Type.String()),
    packKey: OrNull(Type.String()),
    checkoutId: OrNull(Type.String()),
    periodStart: OrNull(Time),
    periodEnd: OrNull(Time),
    dueAt: OrNull(Time),
    paidAt: OrNull(Time),
    url: OrNull(Type.String({ description: 'Where it is seen, or paid' })),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Invoice' }
)
export type Invoice = Static<typeof Invoice>
/** Columns that are not shown; `creditsDue` is what ought to be taken back, which may be more than there was. */
interface Hidden {
  readonly providerId: string
  readonly paymentId: string | null
  readonly creditsDue: string
}
export const invoices = table<typeof Invoice, Hidden>('billing.invoice', Invoice, {
  also: ['providerId', 'paymentId', 'creditsDue']
})
export type InvoiceRow = Invoice & Hidden & { project: string }

const InvoiceQuery = Type.Object({
  ...Paging,
  owner: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Whose; the caller’s own by default' })
  ),
  status: Type.Optional(Type.Enum(statuses)),
  all: Type.Optional(Type.Boolean({ description: 'Of everyone in the project: with `platform:admin`' }))
})
export type InvoiceQuery = Static<typeof InvoiceQuery>

const tags = ['billing']
const params = Type.Object({ invoiceId: Type.String() })
export const listInvoices = {
  tags,
  summary: 'Invoices',
  querystring: InvoiceQuery,
  response: { 200: Page(Invoice) }
}
export const readInvoice = { tags, summary: 'Get an invoice', params, response: { 200: Data(Invoice) } }
const settled = 'Of a provider whose invoices an operator settles; 409 `provider_settles` for another.'
export const payInvoice = {
  tags,
  summary: 'Mark an invoice as paid (admin)',
  description: `What was bought follows. ${settled} 409 \`invoice_settled\` where it is not open.`,
  params,
  response: { 200: Data(Invoice) }
}
export const voidInvoice = {
  tags,
  summary: 'Void an open invoice (admin)',
  description: `${settled} 409 \`invoice_settled\` where it is not open.`,
  params,
  response: { 200: Data(Invoice) }
}
export const refundInvoice = {
  tags,
  summary: 'Mark an invoice as refunded (admin)',
  description: `Of its credits the same share is taken back, as far as it is there. ${settled}`,
  params,
  body: Closed({
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 99_999_999,
        description: 'In minor units; all that is left by default'
      })
    )
  }),
  response: { 200: Data(Invoice) }
}
