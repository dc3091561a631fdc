import type { AgentMemorySettings } from './schemas/agent-settings.ts'
import type { Memory } from './schemas/memories.ts'
import type { SharedScope } from './schemas/scopes.ts'

declare module 'agent-platform' {
  interface Facts {
    /** Never with what is remembered: that is its owner's. */
    'memory.created': MemoryFact
    'memory.updated': MemoryFact
    /** Another one took its place. */
    'memory.superseded': MemoryFact & { readonly supersededBy: string }
    'memory.deleted': { readonly id: string }
    'memory.settings_updated': AgentMemorySettings
    /** What a call of a model found in a run. */
    'memory.extracted': Extracted
    'memory.scope_created': SharedScope
    'memory.scope_updated': SharedScope
    'memory.scope_deleted': { readonly id: string }
  }
}

export interface Extracted {
  readonly runId: string
  readonly agentId: string
  /** Memories that were written. */
  readonly count: number
  readonly modelProvider: string
  readonly modelId: string
  readonly inputTokens: number
  readonly outputTokens: number
}

export type MemoryFact = Omit<Memory, 'content'>
