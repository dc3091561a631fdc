import type { Paging, Principal } from 'agent-platform'
import type { Attachment } from '../sessions/contract.ts'
import type { CallUsage } from './execute/usage.ts'
import type { Citation } from './schemas/events.ts'
import type { Fallback } from './schemas/fallbacks.ts'
import type { FinishReason, Run, Usage } from './schemas/runs.ts'

export interface RunOutcome extends Pick<Run, 'id' | 'content' | 'createdAt'> {
  /** Null but for a run that failed. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** Which run it is. */
export interface AboutRun {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
}

/** How a run ended, as facts tell it. */
export interface RunEnding extends AboutRun {
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: Usage
  /** Of each call of the model, in order. */
  readonly steps: readonly CallUsage[]
  /** Of its last reply; absent unless it completed. */
  readonly finishReason?: FinishReason
  /** How many files its caller sent along; absent for none. */
  readonly attachments?: number
  readonly provenance: 'off' | 'metadata' | 'full'
  /** What it was made of is to be anchored on a chain; absent where it is not. */
  readonly onchain?: true
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
  readonly actor: Pick<Principal, 'id' | 'type' | 'initiator' | 'attenuation'>
  readonly request: {
    readonly provenance?: { readonly mode?: 'off' | 'metadata' | 'full' }
    readonly attachments?: readonly Attachment[]
    /** The first run above it, each of which had the next one started. */
    readonly root?: string
    /** W3C Trace Context, of what had it started. */
    readonly traceparent?: string
  }
  /** Null but for a run that failed. */
  readonly error: { readonly code: string } | null
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: Usage | null
  readonly content: string | null
  /** Of its last reply; null unless it completed. */
  readonly finishReason: FinishReason | null
  /** Other models that it went on with; null for none. */
  readonly fallbacks: readonly Fallback[] | null
  readonly citations: readonly Citation[] | null
  /** What packs put into its prompts, as they named it. */
  readonly sources: readonly ContextItem[] | null
  readonly createdAt: string
  readonly endedAt: string | null
  /** Replies that called tools, in order, as the model gave them, with their thoughts. */
  readonly replies: readonly {
    readonly step: number
    readonly parts: readonly object[]
    /** Null: not known. */
    readonly finishReason: FinishReason | null
    readonly usage: Usage
  }[]
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
  /** For the system prompt; empty for none. */
  readonly text: string
  /** Next to the last message, where it changes from run to run. */
  readonly changing?: string
  readonly items: readonly ContextItem[]
}

/** Something that stood in a prompt, such as a memory. */
export interface ContextItem {
  readonly type: string
  readonly id: string
  /** SHA-256 of its text, in hex. */
  readonly sha256: string
}

export interface SettledRun extends Run {
  /** Whether its model asked for calls of tools. */
  readonly hasCalled: boolean
  /** Of one that failed: the failure that `POST /v1/agents/run` answers with. */
  readonly failure: Error | null
}

export interface StartedRun extends Pick<Run, 'id' | 'sessionId'> {
  /** As `settled` of that run; where it is executed by this process, without a look at the record. */
  settled(leave: AbortSignal): Promise<SettledRun>
}

/** Which runs are listed. Times are ISO 8601. */
export interface RunFilter extends Paging {
  readonly agentId?: string | undefined
  readonly sessionId?: string | undefined
  readonly runId?: string | undefined
  readonly status?: Run['status'] | undefined
  /** Began then or later. */
  readonly from?: string | undefined
  /** Began before. */
  readonly to?: string | undefined
  /** Ended, and took at least so long. */
  readonly minMilliseconds?: number | undefined
}
