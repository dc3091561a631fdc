import { Closed, Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Amount, Shown } from './amount.ts'

const tags = ['credits']

export const Transfer = Type.Object(
  {
    id: Type.String(),
    direction: Type.Enum(['sent', 'received']),
    counterparty: Type.String({ description: 'Who got it, or gave it' }),
    amount: Shown('How much'),
    message: OrNull(Type.String()),
    createdAt: Time
  },
  { title: 'CreditTransfer' }
)
export type Transfer = Static<typeof Transfer>

const NewGift = Closed({
  to: Type.String({
    pattern: '^[\\x21-\\x7e]{1,128}$',
    description: 'A person of the project who has an account'
  }),
  amount: Amount('How much'),
  message: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Both see it' }))
})
export type NewGift = Static<typeof NewGift>
const TransferQuery = Type.Object({
  ...Paging,
  direction: Type.Optional(Type.Enum(['sent', 'received']))
})
export type TransferQuery = Static<typeof TransferQuery>

export const createGift = {
  tags,
  summary: 'Gift credits',
  description:
    'To someone else. 402 `credits_exhausted` where less is available, 409 `gift_limit` beyond what may be given within 24 hours.',
  body: NewGift,
  response: { 201: Data(Transfer) }
}
export const listTransfers = {
  tags,
  summary: 'Gifts sent and received',
  querystring: TransferQuery,
  response: { 200: Page(Transfer) }
}
