import type { Static } from 'typebox'
import { Type } from 'typebox'

const setting = (env: string, minimum: number, maximum: number, value: number, description: string) =>
  Type.Integer({ env, minimum, maximum, default: value, description })

export const WebhookSettings = Type.Object({
  most: setting('WEBHOOKS_MOST', 1, 1_000, 20, 'Webhooks of one owner'),
  timeoutSeconds: setting(
    'WEBHOOKS_TIMEOUT_SECONDS',
    1,
    60,
    15,
    'Seconds that a receiver may take to answer'
  ),
  disableAfterHours: setting(
    'WEBHOOKS_DISABLE_AFTER_HOURS',
    1,
    720,
    120,
    'Hours of nothing but failures after which a webhook is switched off'
  ),
  keepDays: setting('WEBHOOKS_KEEP_DAYS', 1, 3_650, 30, 'Days that deliveries which have ended stay'),
  overlapHours: setting(
    'WEBHOOKS_OVERLAP_HOURS',
    0,
    720,
    24,
    'Hours that a secret is good for beside the next one'
  )
})
export type WebhookSettings = Static<typeof WebhookSettings>
