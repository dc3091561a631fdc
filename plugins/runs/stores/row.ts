import type { Owned, Principal } from 'agent-platform'
import type { RunOrder } from '../contract.ts'
import type { Citation } from '../schemas/events.ts'
import type { Fallback } from '../schemas/fallbacks.ts'
import type { FinishReason, Run, RunOptions, RunRequest, Usage } from '../schemas/runs.ts'
import type { AskedMessage } from '../start/asked.ts'

/** Who started a run, as its record keeps it: never a credential that could be used again. */
export interface Actor {
  readonly id: string
  readonly type: 'user' | 'agent' | 'service'
  readonly initiator?: string
  readonly scopes: readonly string[]
  readonly narrowed: boolean
  /** What the token took away by which it was started: it counts as long as the run goes on. */
  readonly attenuation?: Principal['attenuation']
}

/** Why a run is ended early. */
export type Reason = 'cancel' | 'interrupt' | 'rollback' | 'session' | 'agent' | 'access'

export interface RunError {
  readonly message: string
  readonly code: string
  /** Kind of the failure that the caller of `POST /v1/agents/run` gets. */
  readonly kind: string
  /** When the provider is to be asked again; left out where it did not say. */
  readonly retryAt?: string
}

/** What of a run's body outlives its acceptance, beside its messages. */
export type Kept = Pick<
  RunRequest,
  'cliTools' | 'cliContext' | 'provenance' | 'attachments' | 'computerRequest'
> &
  Pick<RunOrder, 'model' | 'answerSchema' | 'silentAnswer'> & {
    /** Options of the caller. */
    readonly sampling?: RunOptions
    /** An answer that is not in the format of `answerSchema` is asked for once more, and fails the run then. */
    readonly isRepaired?: true
    /** Left out: 0. */
    readonly depth?: number
    /** The first run above it, each of which had the next one started; left out: it is one itself. */
    readonly root?: string
    /** A person asked for it; left out: a program did, or nobody knows. */
    readonly trusted?: boolean
    /** W3C Trace Context of what had it started; left out: it begins a trace of its own. */
    readonly traceparent?: string
  }

export interface RunRow extends Owned {
  readonly id: string
  readonly sessionId: string
  readonly agentId: string
  status: Run['status']
  /** Which instance executes it; null while it is queued, waits, or is to be claimed. */
  instance: number | null
  attempt: number
  /** Processes that died or hung while its step was under way in them, since its last finished step. */
  crashes: number
  /** Finished steps. */
  step: number
  /** `seq` of the last event of its last finished step. */
  seq: number
  /** Orders the runs of a session, as they came. */
  position: number
  readonly actor: Actor
  readonly request: Kept
  readonly createdAt: string
}

/** As it is read by those who ask for it. */
export interface StoredRun extends RunRow {
  readonly content: string | null
  /** Of its last reply; null unless it completed. */
  readonly finishReason: FinishReason | null
  /** Other models that it went on with; null for none. */
  fallbacks: readonly Fallback[] | null
  /** Null where nothing is cited. */
  readonly citations: Citation[] | null
  readonly usage: Usage | null
  readonly error: RunError | null
  cancelledFor: Reason | null
  readonly endedAt: string | null
  readonly messages: readonly AskedMessage[] | null
  /** Who showed it to everybody of its project, and when; null where nobody did. */
  readonly sharedBy: string | null
  readonly sharedAt: string | null
}
