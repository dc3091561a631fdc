import { Closed, Data, OrNull, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Plan } from './catalogue.ts'

export const statuses = ['trialing', 'active', 'past_due', 'canceled'] as const
const fields = {
  id: Type.String(),
  owner: Type.String(),
  provider: Type.String({ description: 'Of payments', examples: ['manual', 'stripe'] }),
  status: Type.Enum(statuses),
  trialEndsAt: OrNull(Time),
  currentPeriodStart: Time,
  currentPeriodEnd: Time,
  cancelAtPeriodEnd: Type.Boolean({ description: 'It ends then, and is not renewed' }),
  canceledAt: OrNull(Time),
  createdAt: Time,
  updatedAt: Time
}
const Stored = Type.Object({ ...fields, planId: Type.String(), nextPlanId: OrNull(Type.String()) })
/** Columns that are not shown. */
interface Hidden {
  readonly providerId: string
  readonly anchorAt: string
  readonly pastDueSince: string | null
}
export const subscriptions = table<typeof Stored, Hidden>('billing.subscription', Stored, {
  also: ['providerId', 'anchorAt', 'pastDueSince'],
  what: 'Subscription'
})
export type SubscriptionRow = Static<typeof Stored> & Hidden & { project: string }

export const Subscription = Type.Object(
  {
    ...fields,
    plan: Plan,
    nextPlan: OrNull(
      Type.String({ description: 'Id of the plan of the next period, where it is another one' })
    ),
    graceEndsAt: OrNull(
      Type.String({ format: 'date-time', description: 'Until when it counts without payment' })
    )
  },
  { title: 'Subscription' }
)
export type Subscription = Static<typeof Subscription>

export const Entitlement = Type.Object(
  {
    name: Type.String({ examples: ['agents'] }),
    isIncluded: Type.Boolean(),
    limit: OrNull(Type.Integer({ description: 'How many; null is any number' })),
    used: OrNull(Type.Integer({ description: 'How many there are; null where nothing counts them' }))
  },
  { title: 'Entitlement' }
)
export const Entitled = Type.Object(
  {
    owner: Type.String(),
    planKey: OrNull(Type.String()),
    planId: OrNull(Type.String()),
    status: OrNull(Type.Enum(statuses)),
    graceEndsAt: OrNull(Time),
    entitlements: Type.Array(Entitlement)
  },
  { title: 'Entitlements' }
)
export type Entitled = Static<typeof Entitled>

export const Whose = Type.Object({
  owner: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Whose; the caller’s own by default' })
  )
})
const tags = ['billing']
export const readSubscription = {
  tags,
  summary: 'The caller’s subscription',
  description: 'The one that is not over, else the latest; null for those who never had one.',
  querystring: Whose,
  response: { 200: Data(OrNull(Subscription)) }
}
export const readEntitlements = {
  tags,
  summary: 'Resolved plan entitlements',
  querystring: Whose,
  response: { 200: Data(Entitled) }
}
export const cancelSubscription = {
  tags,
  summary: 'Cancel the subscription',
  description: 'At the end of its period, or at once. 404 where there is none.',
  body: Closed({ atPeriodEnd: Type.Optional(Type.Boolean({ default: true })) }),
  response: { 200: Data(Subscription) }
}
export const resumeSubscription = {
  tags,
  summary: 'Take a cancellation back',
  description: 'Of one that is to end with its period. 409 `not_canceled` for another.',
  response: { 200: Data(Subscription) }
}
