import type { Fragment, Principal } from 'agent-platform'
import type { CallUsage } from './execute/usage.ts'

/** A run as contributions see it. */
export interface RunInfo {
  readonly project: string
  readonly id: string
  readonly owner: string
  readonly sessionId: string
  readonly agentId: string
  /** The principal that started it: grants are checked for it at each call. */
  readonly by: Principal
  /** How many runs lie above it, each of which had the next one started. */
  readonly depth: number
}

/** A call of a model that is about to be made. */
export interface NextCall {
  readonly modelProvider: string
  readonly modelId: string
  /** Tokens that the reply may have; null: as many as the model likes. */
  readonly outputTokens: number | null
  /** A guess, of its prompt. Before the run begins that has what the run brings, and its agent; not what its session had before. */
  readonly inputTokens: number
}

/** May refuse, by throwing a failure (402, 403 …) that the caller sees. */
export interface Gate {
  /** Before a run is accepted. */
  admit?(run: RunInfo): Promise<void>
  /** Before each call of the model. The first one of a session, which else is made while its run is recorded, waits for it. */
  step?(run: RunInfo): Promise<void>
  /** Before each call of a model, also the first, with what those before it have used. */
  further?(run: RunInfo, next: NextCall, used: readonly CallUsage[]): Promise<void>
  /** Whether `further` has nothing to say of it, as far as this process knows: it is not asked then. */
  covers?(run: RunInfo, next: NextCall, used: readonly CallUsage[]): boolean
  readonly reservations?: Reservations
  /** Whether it counts in that project what runs of tokens spend, and refuses more: else no run begins by one that limits that. */
  countsSpend?(project: string): boolean
}

/**
 * Reserves something for each run in the statement that begins it: with the run, or not at all. That statement begins many
 * runs at once.
 */
export interface Reservations {
  /** What the run has to have reserved; undefined: nothing. Asked after `admit`; may refuse as that. */
  of(run: RunInfo, first: NextCall): Promise<Reservation | undefined>
  /** Queries that come first, by names of their own: what they write stays where the run does not begin. */
  ahead?(wanted: readonly Reservation[]): Readonly<Record<string, Fragment>>
  /**
   * A query for the `id` of each run that must not begin; it may read those that come first. It may lock rows, which stay as
   * they were read.
   */
  refused(wanted: readonly Reservation[]): Fragment
  /** Further queries, by names of their own, that reserve for the runs whose `id` is in the query `begun`. */
  take?(wanted: readonly Reservation[], begun: string): Readonly<Record<string, Fragment>>
  /** Why such a run did not begin, by throwing; returns where it may be tried again. */
  explain(run: RunInfo, wanted: Reservation): Promise<void>
}

/** JSON, beside the id of its run. */
export interface Reservation {
  readonly id: string
}
