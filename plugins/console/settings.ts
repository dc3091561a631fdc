import type { Static } from 'typebox'
import { Type } from 'typebox'

export const settings = Type.Object({
  sessionHours: Type.Integer({
    minimum: 1,
    maximum: 168,
    default: 12,
    env: 'CONSOLE_SESSION_HOURS',
    description:
      'How long a browser stays signed in to the console; never longer than the credential it signed in with'
  })
})
export type Settings = Static<typeof settings>
