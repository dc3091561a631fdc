import type { Static } from 'typebox'
import { Type } from 'typebox'

const List = (env: string, description: string) =>
  Type.String({ env, maxLength: 200_000, default: '[]', description })
const Days = (env: string, byDefault: number, description: string) =>
  Type.Integer({ env, minimum: 0, maximum: 365, default: byDefault, description })
const Secret = (env: string, description: string) =>
  Type.Optional(Type.String({ env, pattern: '^[\\x21-\\x7e]{1,1000}$', secret: true, description }))

export const BillingSettings = Type.Object({
  provider: Type.String({
    env: 'BILLING_PROVIDER',
    pattern: '^[a-z][a-z0-9-]{0,39}$',
    default: 'manual',
    description: 'Who takes payments for what is bought from now on: `manual`, or `stripe`'
  }),
  plans: List('BILLING_PLANS', 'Plans, as a JSON list'),
  packs: List('BILLING_PACKS', 'Packs of credits, as a JSON list'),
  defaultPlan: Type.String({
    env: 'BILLING_DEFAULT_PLAN',
    maxLength: 40,
    default: '',
    description: 'Key of the plan whose entitlements those have who have no subscription'
  }),
  dueDays: Days('BILLING_DUE_DAYS', 14, 'Days until an invoice of `manual` is due'),
  graceDays: Days('BILLING_GRACE_DAYS', 7, 'Days that a subscription counts although its payment is overdue'),
  returnUrls: Type.String({
    env: 'BILLING_RETURN_URLS',
    maxLength: 10_000,
    default: '',
    description:
      'Origins, comma-separated, to which people may be sent back after paying, beside the platform’s own'
  }),
  stripeSecretKey: Secret('STRIPE_SECRET_KEY', 'Secret key of the account at Stripe'),
  stripeWebhookSecret: Secret(
    'STRIPE_WEBHOOK_SECRET',
    'What Stripe signs its webhooks with; while one takes the place of another both, with a comma between them'
  ),
  stripeUrl: Type.String({
    env: 'STRIPE_URL',
    pattern: '^https?://[^/?#]+$',
    default: 'https://api.stripe.com',
    description: 'Address of the API of Stripe'
  }),
  stripeToleranceSeconds: Type.Integer({
    env: 'STRIPE_TOLERANCE_SECONDS',
    minimum: 10,
    maximum: 3_600,
    default: 300,
    description: 'Seconds that the signature of a webhook is good for'
  })
})
export type BillingSettings = Static<typeof BillingSettings>
