import type { Static } from 'typebox'
import { Type } from 'typebox'

export const DenialSettings = Type.Object({
  days: Type.Integer({
    env: 'DENIALS_DAYS',
    minimum: 1,
    maximum: 3_650,
    default: 30,
    description: 'How long denials are kept'
  })
})
export type DenialSettings = Static<typeof DenialSettings>
