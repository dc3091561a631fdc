import type { Static } from 'typebox'
import { Type } from 'typebox'

export const RetrievalSettings = Type.Object({
  memoryMb: Type.Integer({
    minimum: 16,
    maximum: 4_000,
    default: 512,
    env: 'RETRIEVAL_MEMORY_MB',
    description: 'Megabytes of vectors that an instance keeps in memory; what was not used for longest leaves'
  }),
  keepDays: Type.Integer({
    minimum: 0,
    maximum: 3_650,
    default: 30,
    env: 'RETRIEVAL_KEEP_DAYS',
    description: 'Days that entries of a collection are kept after its pack was turned off or removed'
  }),
  vectorStore: Type.Enum(['auto', 'memory', 'pgvector'], {
    default: 'auto',
    env: 'RETRIEVAL_VECTOR_STORE',
    description:
      '`pgvector`: an index of the database, `memory`: of each instance; `auto`: pgvector where the database offers it'
  })
})
export type RetrievalSettings = Static<typeof RetrievalSettings>
