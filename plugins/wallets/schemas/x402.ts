import { Closed, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { AddressText, Decimal } from './policy.ts'
import { Transfer } from './transfers.ts'

export const PaidRequest = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 4_000, description: 'An http or https address' }),
    method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { default: 'GET' })),
    headers: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-zA-Z0-9-]{1,100}$' }),
        Type.String({ pattern: '^[ -~]{0,4000}$' }),
        {
          maxProperties: 30
        }
      )
    ),
    body: Type.Optional(Type.String({ maxLength: 500_000 })),
    walletId: Type.Optional(
      Type.String({ maxLength: 128, description: 'Default: the agent’s primary wallet' })
    ),
    maxAmount: Type.Optional(Decimal('More of the stablecoin is not paid, whatever the policy allows')),
    preview: Type.Optional(
      Type.Boolean({ default: false, description: 'Shows what is asked for, and pays nothing' })
    )
  },
  { title: 'PaidRequest', additionalProperties: false }
)
export type PaidRequest = Static<typeof PaidRequest>

const Quote = Type.Object(
  {
    version: Type.Integer({ description: 'Of x402: 1 or 2' }),
    host: Type.String(),
    network: Type.String(),
    symbol: Type.String(),
    amount: Type.String({ description: 'In coins' }),
    minorUnits: Type.String(),
    to: AddressText('Who is to be paid'),
    description: OrNull(Type.String({ description: 'What the server says that it is for' }))
  },
  { title: 'PaymentQuote', description: 'What the server asked for' }
)
export type Quote = Static<typeof Quote>

const Answer = Closed({
  status: Type.Integer(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String({ description: 'Text, or in base64' }),
  encoding: Type.Enum(['utf8', 'base64']),
  cut: Type.Boolean({ description: 'There was more than is kept' })
})
export type Answer = Static<typeof Answer>

const Receipt = Type.Object(
  {
    success: Type.Boolean(),
    transaction: OrNull(
      Type.String({ description: 'As the server says; the payment’s `hash` is what the chain says' })
    ),
    network: OrNull(Type.String()),
    payer: OrNull(Type.String())
  },
  { title: 'PaymentReceipt', description: 'What the server said about the payment' }
)
export type Receipt = Static<typeof Receipt>

export const PaidAnswer = Type.Object(
  {
    answer: OrNull(Answer),
    quote: OrNull(Quote),
    payment: OrNull(Transfer),
    receipt: OrNull(Receipt)
  },
  { title: 'PaidAnswer' }
)
export type PaidAnswer = Static<typeof PaidAnswer>
