import type { Static } from 'typebox'
import { Type } from 'typebox'

export const EmbeddingSettings = Type.Object({
  idleSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    default: 300,
    env: 'EMBEDDINGS_IDLE_SECONDS',
    description: 'Seconds without a text after which the model leaves memory'
  })
})
export type EmbeddingSettings = Static<typeof EmbeddingSettings>
