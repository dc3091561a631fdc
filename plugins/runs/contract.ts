import type { Principal } from 'agent-platform'
import type { Run, Usage } from './schemas.ts'

export type { Run, Usage }

/** A run as contributions see it. */
export interface RunInfo {
  readonly project: string
  readonly id: string
  readonly owner: string
  readonly sessionId: string
  readonly agentId: string
  /** Who started it: grants are checked for him at each call. */
  readonly by: Principal
}

/** Offers tools to runs. */
export interface ToolSource {
  /** What the model may call in its next step: asked before each. */
  offer(run: RunInfo): Promise<readonly Tool[]>
}

export interface Tool {
  /** `[A-Za-z0-9_-]{1,64}`; of two with the same name the earlier contribution is taken. */
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, an object. */
  readonly parameters: object
  /** After a crash a call whose outcome is unknown is made again, with the same id; any other is not. */
  readonly idempotent: boolean
  call(call: ToolCall): Promise<ToolResult>
}

export interface ToolCall {
  /** Unique, and the same when the call is made again: what an idempotent service should be told. */
  readonly id: string
  readonly run: RunInfo
  readonly args: unknown
  readonly signal: AbortSignal
  /** Output that the reader of the run may see while the call goes on. */
  progress(output: string): void
}

export interface ToolResult {
  /** JSON. */
  readonly output: unknown
  readonly isError?: boolean
}

/** Adds to what the model is told. */
export interface ContextSource {
  /** Text for the system prompt of this run's next step, if any. `input` is what the caller said. */
  context(run: RunInfo, input: string): Promise<string | undefined>
}

/** May refuse, by throwing a failure (402, 403 …) that the caller sees. */
export interface Gate {
  /** Before a run is accepted. */
  admit?(run: RunInfo): Promise<void>
  /** Before each call of the model. */
  step?(run: RunInfo): Promise<void>
}

/** Serves a part of a run's body that needs more than this pack; its key is the part's name. */
export interface RequestPart {
  /** Refuses by throwing. Called before the run is accepted. */
  accept(run: RunInfo, value: unknown): Promise<void>
}

/** Of one run. */
interface About {
  readonly runId: string
  readonly sessionId: string
  readonly agentId: string
}

interface Ending extends About {
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: Usage
  /** Of each call of the model, in order. */
  readonly steps: readonly Usage[]
  readonly provenance: 'off' | 'metadata' | 'full'
}

declare module 'agent-platform' {
  interface Points {
    'runs.tools': ToolSource
    'runs.context': ContextSource
    'runs.gate': Gate
    'runs.request': RequestPart
  }
  interface Facts {
    'runs.started': About
    'runs.completed': Ending
    'runs.failed': Ending & { readonly code: string }
    'runs.cancelled': Ending
  }
}
