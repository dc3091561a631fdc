import type { Principal } from 'agent-platform'
import type { Medium } from './media.ts'

/** On whose behalf a model is asked outside of the steps of runs; the owner pays. */
export interface Asking {
  readonly by: Principal
  readonly agentId: string
  readonly sessionId?: string | null
  /** For which it is asked, in its middle or behind it. */
  readonly runId?: string | null
  readonly purpose: 'sampling' | 'extraction' | 'judging' | 'compaction'
}

interface AskedCall {
  readonly callId: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly runId: string | null
  readonly modelProvider: string
  readonly modelId: string
  readonly purpose: Asking['purpose']
}

/** A call that is about to be made. */
export interface NextAsking extends AskedCall {
  readonly by: Principal
  /** A guess, of its prompt. */
  readonly inputTokens: number
  /** Tokens that the reply may have; null: as many as the model likes. */
  readonly outputTokens: number | null
}

/** A call that was made, once each. One that failed used nothing, and one that was left its prompt. */
export interface Asked extends AskedCall {
  readonly usage: {
    readonly inputTokens: number
    readonly cachedTokens: number
    /** Of the input, those that the provider wrote to its cache; absent for none. */
    readonly cacheWriteTokens?: number
    readonly outputTokens: number
    /** Some of it was not reported by the provider, and is estimated; absent otherwise. */
    readonly estimated?: true
  }
  readonly isError: boolean
  readonly milliseconds: number
}

/** On whose behalf a model hears, speaks or draws; the owner pays. */
export interface MediaAsking {
  readonly by: Principal
  /** For which it is; null: for none. */
  readonly agentId: string | null
  readonly medium: Medium
  /** What it may come to at most, or about: images, characters that are spoken, seconds that are heard. */
  readonly most: number
  /** Aborted where nobody waits any more: it counts as what it may come to. */
  readonly signal: AbortSignal
}

interface MediaCall {
  readonly callId: string
  readonly agentId: string | null
  readonly modelProvider: string
  readonly modelId: string
  readonly medium: Medium
}

/** A call that is about to be made. */
export interface NextMedia extends MediaCall, Pick<MediaAsking, 'by' | 'most'> {}

/** A call that was made, once each. */
export interface AskedMedia extends MediaCall {
  /** Images, characters or seconds; of one that failed what came before that. */
  readonly quantity: number
  readonly isError: boolean
  readonly milliseconds: number
}

/** Has a say in calls of models that are no steps of runs: those have `runs.gate`. */
export interface ModelGate {
  /** Before the call. Refuses by throwing what the caller sees. */
  admit(call: NextAsking): Promise<void>
  /** The same of models that hear, speak or draw. */
  admitMedia?(call: NextMedia): Promise<void>
}

/** A request was refused because it is too long for its model; sizes in tokens, where the provider reported them. */
export interface LengthRejection {
  /** The context window of the model. */
  readonly contextTokens?: number
  /** The request. */
  readonly promptTokens?: number
}

export interface LengthReading {
  /** What an error of a model says of the length of its request; undefined where it is about something else. */
  lengthRejection(error: unknown): LengthRejection | undefined
}
