import type { Static } from 'typebox'
import { Type } from 'typebox'

export const OpenAiSettings = Type.Object({
  keepHours: Type.Integer({
    env: 'OPENAI_KEEP_HOURS',
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description: 'Hours that what was not to be stored stays, with its session and its files'
  }),
  callSeconds: Type.Integer({
    env: 'OPENAI_CALL_SECONDS',
    minimum: 10,
    maximum: 3_600,
    default: 600,
    description: 'Seconds that a run waits for results of tools of the client, before it is cancelled'
  })
})
export type OpenAiSettings = Static<typeof OpenAiSettings>
