import type { Static } from 'typebox'
import { Type } from 'typebox'

export const AutonomySettings = Type.Object({
  payloadBytes: Type.Integer({
    env: 'AUTONOMY_PAYLOAD_BYTES',
    minimum: 1_024,
    maximum: 1_048_576,
    default: 65_536,
    description: 'Bytes of a payload that an agent is triggered with, at most'
  }),
  beatDays: Type.Integer({
    env: 'AUTONOMY_BEAT_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'Days that the record of a beat is kept'
  })
})
export type AutonomySettings = Static<typeof AutonomySettings>
