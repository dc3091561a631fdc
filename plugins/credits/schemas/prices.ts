import { Closed, Data, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Amount, Shown } from './amount.ts'

const tags = ['credits']
const target = Type.String({
  pattern: '^[\\x21-\\x7e]{1,256}$',
  description:
    'Of models `provider/model`, `provider/*` or `*`, of tools a name or `*`; the most particular one counts'
})
const kind = Type.Enum(['model', 'tool', 'image', 'speech', 'transcription'], {
  description: 'The latter three: models that draw, speak and write down what they hear'
})

export const Price = Type.Object(
  {
    id: Type.String(),
    owner: Type.String({ description: 'Who set it' }),
    kind,
    target,
    input: Shown('A million tokens of input'),
    cached: Shown('A million tokens of input that the provider had cached'),
    cacheWrite: Shown('A million tokens of input that the provider wrote to its cache'),
    output: Shown('A million tokens of output'),
    call: Shown(
      'A call of the tool, an image, a thousand characters that are spoken, a minute that is heard'
    ),
    isCurrent: Type.Boolean({ description: 'No later version is in force' }),
    createdAt: Time
  },
  { title: 'CreditPrice' }
)
export type Price = Static<typeof Price>
const NewPrice = Closed({
  kind,
  target,
  input: Type.Optional(Amount('Of models: a million tokens of input; default 0')),
  cached: Type.Optional(Amount('Of models: a million cached tokens of input; default: as `input`')),
  cacheWrite: Type.Optional(
    Amount('Of models: a million tokens of input that the provider writes to its cache; default: as `input`')
  ),
  output: Type.Optional(Amount('Of models: a million tokens of output; default 0')),
  call: Type.Optional(
    Amount(
      'Of tools: a call; else an image, a thousand characters that are spoken, a minute that is heard; default 0'
    )
  )
})
export type NewPrice = Static<typeof NewPrice>
const PriceQuery = Type.Object({
  ...Paging,
  kind: Type.Optional(kind),
  target: Type.Optional(target),
  versions: Type.Optional(Type.Boolean({ description: 'Also those that later ones replaced' }))
})
export type PriceQuery = Static<typeof PriceQuery>

export const listPrices = {
  tags,
  summary: 'Price catalogue',
  querystring: PriceQuery,
  response: { 200: Page(Price) }
}
export const setPrice = {
  tags,
  summary: 'Set a price (admin)',
  description: 'A new version, in force from now on: what began before is charged by the one before.',
  body: NewPrice,
  response: { 201: Data(Price) }
}
