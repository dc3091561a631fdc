import type { Static } from 'typebox'
import { Type } from 'typebox'

export const ObservabilitySettings = Type.Object({
  redaction: Type.Enum(['metadata', 'full'], {
    env: 'OBSERVABILITY_REDACTION',
    default: 'metadata',
    description: 'Whether traces show what was said (`full`), or only how much'
  }),
  callDays: Type.Integer({
    env: 'OBSERVABILITY_CALL_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description: 'Days that single calls are kept: usage by the hour and of sessions. Sums of days stay'
  }),
  eventDays: Type.Integer({
    env: 'OBSERVABILITY_EVENT_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description: 'Days that the activity is kept'
  }),
  otlpUrl: Type.String({
    env: 'OBSERVABILITY_OTLP_URL',
    maxLength: 2_000,
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description:
      'Where traces of runs go (OTLP over HTTP), such as `http://collector:4318/v1/traces`; empty: nowhere'
  }),
  otlpHeaders: Type.String({
    env: 'OBSERVABILITY_OTLP_HEADERS',
    maxLength: 10_000,
    default: '',
    secret: true,
    description: 'Headers that go with them: `name=value`, with commas between them'
  }),
  liveEvents: Type.Integer({
    env: 'OBSERVABILITY_LIVE_EVENTS',
    minimum: 100,
    maximum: 100_000,
    default: 2_000,
    description: 'Latest events of an activity feed that its live stream goes back to'
  })
})
export type ObservabilitySettings = Static<typeof ObservabilitySettings>
