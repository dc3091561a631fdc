import { Data, Name, OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const key = (description: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description, examples: ['pro'] })
export const Minor = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 99_999_999, description, examples: [1900] })
export const Currency = Type.String({ pattern: '^[a-z]{3}$', description: 'ISO 4217, in small letters' })
export const Credits = (description: string) =>
  Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,6})?$', description, examples: ['500'] })
const Values = Type.Record(
  Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9._-]{0,79}$' }),
  Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 2_147_483_647 })]),
  { description: 'What it includes, by name: whether, or how many', examples: [{ agents: 10, voice: true }] }
)

const terms = {
  key: key('Names the plan, in any version'),
  name: Name(),
  description: OrNull(Type.String({ maxLength: 2_000 })),
  price: Minor('What a period costs, in minor units of the currency'),
  currency: Currency,
  interval: Type.Enum(['month', 'year'], { description: 'A period' }),
  trialDays: Type.Integer({ minimum: 0, maximum: 730, description: 'Once for each customer' }),
  credits: Credits('Credits that come with each period that is paid for'),
  entitlements: Values
}
export const Plan = Type.Object(
  {
    id: Type.String({
      description: 'Of this version: other terms are another one',
      examples: ['pro@1f0c93ab']
    }),
    ...terms
  },
  { title: 'BillingPlan' }
)
export type Plan = Static<typeof Plan>

const topup = {
  key: key('Names the pack'),
  name: Name(),
  credits: Credits('Credits that it adds'),
  price: Minor('What it costs, in minor units of the currency'),
  currency: Currency
}
export const Topup = Type.Object(
  { id: Type.String({ description: 'Of this version', examples: ['small@77ab01c2'] }), ...topup },
  { title: 'CreditPack' }
)
export type Topup = Static<typeof Topup>

const closed = { additionalProperties: false }
const { description, trialDays, credits, entitlements, ...required } = terms
/** As the settings have them. */
export const GivenPlans = Type.Array(
  Type.Object(
    {
      ...required,
      description: Type.Optional(description),
      trialDays: Type.Optional(trialDays),
      credits: Type.Optional(credits),
      entitlements: Type.Optional(entitlements)
    },
    closed
  ),
  { maxItems: 100 }
)
export const GivenTopups = Type.Array(Type.Object(topup, closed), { maxItems: 100 })

export const Catalogue = Type.Object(
  {
    plans: Type.Array(Plan),
    packs: Type.Array(Topup, { description: 'Credits to buy beside a plan' }),
    defaultPlanKey: OrNull(Type.String({ description: 'The plan of those who have no subscription' }))
  },
  { title: 'BillingCatalog' }
)
export type Catalogue = Static<typeof Catalogue>

export const readCatalogue = {
  tags: ['billing'],
  summary: 'Plans and packs',
  response: { 200: Data(Catalogue) }
}
