import type { Delegation, ExecutionRow, Usage } from 'agent-platform'

/** Tokens, as the runs of a step reported them. */
export interface Cost {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
}

export interface StepError {
  readonly code: string
  readonly message: string
}

/** What one principal said about a step that waits for it. */
export interface Decision {
  readonly by: string
  readonly decision: 'approve' | 'reject'
  readonly comment: string | null
  readonly data: unknown
  readonly at: string
}

/** What a step waited for: its time, the end of a run or an execution, a decision, or an event. */
export interface Arrival {
  readonly by: 'time' | 'end' | 'decision' | 'event'
}

/** A step in the journal of its execution; its latest attempt. */
export interface StepRow {
  readonly id: string
  /** Where it stands: `classify`, `each[3].classify`, and `pay.compensation` for what undoes `pay`. */
  readonly path: string
  readonly stepId: string
  readonly kind: string
  status: 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'cancelled'
  attempt: number
  /** Its config, with the expressions evaluated. */
  input: unknown
  output: unknown
  error: StepError | null
  cost: Cost | null
  /** Beside tokens, of all its attempts. */
  usage: readonly Usage[] | null
  /** What its kind has to know when it goes on. */
  state: Readonly<Record<string, unknown>> | null
  /** The run or execution that it waits for, or the address of its event. */
  ref: string | null
  arrival: Arrival | null
  /** It waits for something from outside of the platform. */
  awaits: boolean
  decisions: readonly Decision[] | null
  /** Of an open wait. */
  deadline: string | null
  readonly startedAt: string
  endedAt: string | null
}

/** How an execution is going to end, once what its steps did is undone. */
export interface Ending {
  readonly status: 'failed' | 'cancelled'
  readonly error: StepError | null
  /** Of a cancellation: `parent` where the step that waited for it has been given up. */
  readonly reason?: string
}

export interface ExecutionRecord extends ExecutionRow {
  readonly workflowId: string
  readonly workflowVersion: number
  readonly depth: number
  readonly rootId: string
  readonly parentId: string | null
  readonly parentStep: string | null
  readonly input: unknown
  readonly output: unknown
  readonly error: StepError | null
  ending: Ending | null
  /** What the token left that it was begun with. */
  readonly delegation: Delegation | null
  readonly createdAt: string
}

export const isOpen = ({ status }: StepRow): boolean => status === 'running' || status === 'waiting'

/** Characters of what it was given and gave, as JSON. */
export const sizeOf = ({ input, output }: StepRow): number => JSON.stringify([input, output ?? null]).length

/** What steps fail by. `final`: another attempt would fail as well, or must not be made. */
export class StepFailure extends Error {
  readonly code: string
  readonly final: boolean
  constructor(
    code: string,
    message: string,
    { final = false, cause }: { final?: boolean; cause?: unknown } = {}
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.final = final
  }
}

export const addCosts = (costs: readonly (Cost | null)[]): Cost | null => {
  const known = costs.filter((cost) => cost !== null)
  if (known.length === 0) return null
  const sum = (of: (cost: Cost) => number) => known.reduce((total, cost) => total + of(cost), 0)
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens)
  }
}
