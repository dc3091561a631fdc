import type { EventInput, Usage } from 'agent-platform'
import type { TObject } from 'typebox'
import type { Cost, StepRow } from '../executions/journal.ts'
import type { Live } from '../executions/live.ts'
import type { Scope } from '../executions/scopes.ts'
import type { Step } from '../schemas/definition.ts'

/** One attempt of a step. */
export interface Attempt {
  readonly live: Live
  readonly scope: Scope
  readonly step: Step
  readonly row: StepRow
  /** With its expressions evaluated. */
  readonly config: Readonly<Record<string, unknown>>
  /** The same whenever this attempt is made again. */
  readonly key: string
  readonly signal: AbortSignal
  /** Notes what it used up, beside tokens. */
  used(usage: readonly Usage[]): void
}

export interface Completed {
  readonly output: unknown
  readonly cost?: Cost | null
  readonly state?: StepRow['state']
}

/** It goes on when something comes; nothing of it lies in memory until then. */
export interface Waiting {
  readonly waits: {
    readonly ref?: string
    readonly state?: StepRow['state']
    readonly cost?: Cost | null
    readonly deadline?: Date | undefined
    /** For something from outside of the platform. */
    readonly awaits?: boolean
    readonly events?: readonly EventInput[]
  }
}

/** How steps of one type are made. Whatever fails throws a `StepFailure`, or any other error of this platform. */
export interface Kind {
  /** The schema of `config`, of a kind that another pack brings. */
  readonly config?: TObject
  /** It only evaluates: its beginning and its end are one commit. */
  readonly isPure?: boolean
  /** Whether an attempt that was cut may be made again; default: yes. */
  isIdempotent?(attempt: Attempt): Promise<boolean>
  /** What the journal says ahead of the attempt. */
  prepare?(): Partial<Pick<StepRow, 'state' | 'ref'>>
  begin(attempt: Attempt): Promise<Completed | Waiting>
  /** What it waits for has come, by `row.arrival`. */
  resume?(attempt: Attempt): Promise<Completed | Waiting>
  /** Whether that had come before it was waited for. */
  hasEnded?(attempt: Attempt): Promise<boolean>
  /** Ends what these steps of it wait for. */
  cancel?(live: Live, rows: readonly StepRow[]): Promise<void>
}
