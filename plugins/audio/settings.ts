import type { Static } from 'typebox'
import { Type } from 'typebox'

export const AudioSettings = Type.Object({
  audioBytes: Type.Integer({
    env: 'AUDIO_BYTES',
    minimum: 1_024,
    maximum: 536_870_912,
    default: 26_214_400,
    description: 'Bytes of a recording'
  }),
  audioSeconds: Type.Integer({
    env: 'AUDIO_SECONDS',
    minimum: 1,
    maximum: 36_000,
    default: 1_800,
    description: 'Length of a recording that the built-in model writes down'
  }),
  audioWaitSeconds: Type.Integer({
    env: 'AUDIO_WAIT_SECONDS',
    minimum: 1,
    maximum: 3_600,
    default: 600,
    description: 'How long a transcription, or speech, may take'
  }),
  idleSeconds: Type.Integer({
    env: 'AUDIO_IDLE_SECONDS',
    minimum: 1,
    maximum: 86_400,
    default: 300,
    description: 'Seconds without a recording after which the built-in model leaves memory'
  }),
  requestsPerMinute: Type.Integer({
    env: 'AUDIO_REQUESTS_PER_MINUTE',
    minimum: 1,
    maximum: 10_000,
    default: 30,
    description: 'Recordings, and texts to be spoken, of one owner'
  })
})
export type AudioSettings = Static<typeof AudioSettings>
