import type { Static } from 'typebox'
import { Type } from 'typebox'

export const LiaisonSettings = Type.Object({
  messagesPerMinute: Type.Integer({
    env: 'LIAISON_MESSAGES_PER_MINUTE',
    minimum: 1,
    maximum: 10_000,
    default: 10,
    description: 'Messages of one outsider, and from one address'
  }),
  dailyMessages: Type.Integer({
    env: 'LIAISON_DAILY_MESSAGES',
    minimum: 1,
    maximum: 1_000_000,
    default: 200,
    description: 'Messages of all outsiders to a liaison in a day (UTC), unless it has a cap of its own'
  })
})
export type LiaisonSettings = Static<typeof LiaisonSettings>
