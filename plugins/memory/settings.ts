import type { Static } from 'typebox'
import { Type } from 'typebox'

export const MemorySettings = Type.Object({
  memories: Type.Integer({
    env: 'MEMORY_MEMORIES',
    minimum: 1,
    default: 100_000,
    description: 'Memories of an agent, at most, those included that are not so any more'
  }),
  contextTokens: Type.Integer({
    env: 'MEMORY_CONTEXT_TOKENS',
    minimum: 0,
    maximum: 100_000,
    default: 1_000,
    description: 'Tokens of memories in the prompt of a run, unless the agent has a setting of its own'
  }),
  extractionDelaySeconds: Type.Integer({
    env: 'MEMORY_EXTRACTION_DELAY_SECONDS',
    minimum: 0,
    maximum: 86_400,
    default: 30,
    description: 'Seconds between the end of a run and the extraction of memories from it'
  })
})
export type MemorySettings = Static<typeof MemorySettings>
