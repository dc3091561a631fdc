import type { Principal } from 'agent-platform'
import type { Attachment } from '../sessions/contract.ts'
import type { Citation } from './schemas/events.ts'
import type { Run, Usage } from './schemas/runs.ts'

export interface RunOutcome extends Pick<Run, 'id' | 'content' | 'createdAt'> {
  /** Null but for a run that failed. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A run as its record has it. */
export interface RunRecord {
  readonly id: string
  readonly owner: string
  readonly sessionId: string
  readonly agentId: string
  readonly status: Run['status']
  /** In its session, of what it brought there or of something before that. */
  readonly position: number
  readonly actor: { readonly id: string; readonly type: Principal['type']; readonly initiator?: string }
  readonly request: {
    readonly provenance?: { readonly mode?: 'off' | 'metadata' | 'full' }
    readonly attachments?: readonly Attachment[]
    /** The first run above it, each of which had the next one started. */
    readonly root?: string
  }
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: Usage | null
  readonly content: string | null
  readonly citations: readonly Citation[] | null
  /** What packs put into its prompts, as they named it. */
  readonly sources: readonly ContextItem[] | null
  readonly createdAt: string
  readonly endedAt: string | null
  /** Replies that called tools, in order, as the model gave them, with their thoughts. */
  readonly replies: readonly { readonly step: number; readonly parts: readonly object[] }[]
  /** In order. */
  readonly calls: readonly RecordedCall[]
}

export interface RecordedCall {
  readonly id: string
  readonly step: number
  readonly toolName: string
  readonly args: unknown
  readonly output: unknown
  readonly isError: boolean | null
  /** Null for one that the run did not wait for. */
  readonly endedAt: string | null
}

export interface Context {
  readonly text: string
  readonly items: readonly ContextItem[]
}

/** Something that stood in a prompt, such as a memory. */
export interface ContextItem {
  readonly type: string
  readonly id: string
  /** SHA-256 of its text, in hex. */
  readonly sha256: string
}
