import type { Principal, Trx, Usage } from 'agent-platform'
import type { TObject } from 'typebox'

/** An execution that has begun. */
export interface Begun {
  readonly id: string
  readonly workflowId: string
}

/** For packs that have workflows executed. */
export interface Workflows {
  /**
   * Begins an execution as `POST /v1/workflows/:id/execute` does, and refuses what that refuses (404, 403, 400 at `param`).
   * With the `key` of one that the principal had begun within a day it is that one; another input under the same key is 409.
   */
  execute(by: Principal, order: ExecutionOrder): Promise<Begun>
  /** The refusals of `execute` before there is an execution: 404, and 403 at `param`. */
  check(by: Principal, workflowId: string, param: string): Promise<void>
  /**
   * How these executions stand, by id, as the transaction sees it and on its connection; without those that are gone. For
   * handlers of the facts about them, which know whose they are: no permission is checked.
   */
  states(
    trx: Trx,
    project: string,
    executionIds: readonly string[]
  ): Promise<ReadonlyMap<string, ExecutionState>>
  /** Returns when it is to be cancelled; 409 for one that has ended. */
  cancel(by: Principal, executionId: string): Promise<void>
}

export interface ExecutionOrder {
  readonly workflowId: string
  readonly input?: unknown
  /** 1 to 255 visible ASCII characters. */
  readonly key?: string
  /** What stands for it in messages about the workflow; default `/workflowId`. */
  readonly param?: string
  /** How many runs and executions lie above it. */
  readonly depth?: number
}

export interface ExecutionState {
  readonly id: string
  readonly status: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
  readonly output: unknown
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A kind of step that a pack brings; its key at the point is the `type` of steps. */
export interface StepKind {
  /** Of `config`; where a string is asked for, one with expressions is taken too. */
  readonly config: TObject
  /**
   * Whether an attempt whose outcome is unknown may be made again, with the same `key`; else it fails `outcome_unknown`. What depends
   * on the step is asked when it comes to that.
   */
  readonly idempotent: boolean | ((step: Pick<StepRun, 'by' | 'config'>) => Promise<boolean>)
  /**
   * Refuses a definition that is to be kept, beyond what the schema of `config` does: 400, 403 or 404, with `param` below `at`, which
   * is where the config stands. What an expression decides is not known yet.
   */
  check?(by: Principal, config: Readonly<Record<string, unknown>>, at: string): Promise<void>
  /**
   * One attempt. A rejection is its failure: `code` and `message` of it are kept. After `outcome_unknown` no attempt follows: it may
   * have been done.
   */
  run(step: StepRun): Promise<StepResult>
}

export interface StepRun {
  readonly project: string
  readonly owner: string
  /** The owner of the execution, in whose name it is done. */
  readonly by: Principal
  readonly executionId: string
  readonly stepId: string
  readonly attempt: number
  /** The same whenever this attempt is made again. */
  readonly key: string
  /** How many runs and executions lie above what it begins: the `depth` of orders for such. */
  readonly depth: number
  /** With its expressions evaluated. */
  readonly config: Readonly<Record<string, unknown>>
  /** Cancelled, out of time, or handed over (by a reason with the code `handed_over`). */
  readonly signal: AbortSignal
  /** Notes what the attempt used up: in the journal, also where it fails. Nothing is charged by that. */
  used(usage: readonly Usage[]): void
}

export interface StepResult {
  /** JSON of 256 KiB at most. */
  readonly output: unknown
}

/** What facts say of an execution: never its input or output. */
interface About {
  readonly executionId: string
  readonly workflowId: string
  readonly workflowVersion: number
}
interface AboutWorkflow {
  readonly id: string
  readonly name: string
  readonly visibility: 'private' | 'public'
  readonly version: number
}

declare module 'agent-platform' {
  interface Services {
    workflows: Workflows
  }
  interface Points {
    'workflows.step': StepKind
  }
  interface Facts {
    'workflows.created': AboutWorkflow
    'workflows.updated': AboutWorkflow
    'workflows.deleted': { readonly id: string }
    'workflows.forked': AboutWorkflow & { readonly from: string }
    'workflows.started': About
    /** It goes on with a decision, or with something from outside. */
    'workflows.suspended': About
    'workflows.resumed': About
    'workflows.completed': About
    'workflows.failed': About & { readonly code: string }
    'workflows.cancelled': About
    /** Without its data. The execution is null while it is kept for the first that waits for its key. */
    'workflows.event_received': {
      readonly eventId: string
      readonly event: string
      readonly workflowId: string
      readonly executionId: string | null
    }
    'workflows.webhook_minted': { readonly id: string }
    'workflows.webhook_disabled': { readonly id: string }
  }
}
