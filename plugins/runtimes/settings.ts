import type { Static } from 'typebox'
import { Type } from 'typebox'

const whole = (env: string, value: number, maximum: number, description: string) =>
  Type.Integer({ env, minimum: 1, maximum, default: value, description })

export const RuntimeSettings = Type.Object({
  startSeconds: whole(
    'RUNTIMES_START_SECONDS',
    60,
    3_600,
    'Until a runtime that was started says that it is ready'
  ),
  heartbeatSeconds: whole('RUNTIMES_HEARTBEAT_SECONDS', 20, 600, 'Between two signs of life of a runtime'),
  silentSeconds: whole(
    'RUNTIMES_SILENT_SECONDS',
    90,
    3_600,
    'Without a sign of life, after which a runtime is ended and started again'
  ),
  credentialSeconds: whole(
    'RUNTIMES_CREDENTIAL_SECONDS',
    900,
    86_400,
    'How long a credential of a runtime is good for; renewed before'
  ),
  drainSeconds: whole(
    'RUNTIMES_DRAIN_SECONDS',
    300,
    86_400,
    'How long a runtime that was replaced may go on with what it has begun'
  ),
  backoffSeconds: whole(
    'RUNTIMES_BACKOFF_SECONDS',
    1,
    300,
    'Before a runtime that failed is started again; doubled with each failure in a row, up to five minutes'
  )
})
export type RuntimeSettings = Static<typeof RuntimeSettings>
