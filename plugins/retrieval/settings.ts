import type { Static } from 'typebox'
import { Type } from 'typebox'

export const RetrievalSettings = Type.Object({
  memoryMb: Type.Integer({
    minimum: 16,
    maximum: 4_000,
    default: 512,
    env: 'RETRIEVAL_MEMORY_MB',
    description: 'Megabytes of vectors that an instance keeps in memory; what was not used for longest leaves'
  })
})
export type RetrievalSettings = Static<typeof RetrievalSettings>
