import type { Held, Kernel, Principal, Writer } from 'agent-platform'
import type { Profile } from '../../agents/contract.ts'
import type { Model } from '../../models/contract.ts'
import type { History } from '../../sessions/contract.ts'
import type { ContextItem } from '../contract.ts'
import type { Reason, StoredRun } from '../stores/row.ts'
import type { StepRow } from '../stores/steps.ts'
import type { CallUsage } from './usage.ts'

export type LiveRuns = ReturnType<typeof createLiveRuns>

/** What readers saw of a step that was cut, as the replay filter takes it. */
export interface Emitted {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** An answer that was not in the format of its run, and what is wrong with it. */
export interface Correction {
  readonly text: string
  readonly fault: string
}

/** A run that this process executes: its record, and what lies in memory until the next step. */
export interface Live {
  readonly run: StoredRun
  readonly by: Principal
  readonly writer: Writer
  /** While the statement that begins it is under way: whether its agent is as `profile` says. Nothing is published before. */
  accepted: Promise<boolean> | undefined
  /** False until the record says that it goes on here: it may have to wait in its session instead. */
  started: boolean
  /** When this process began to go on with it, in `performance.now()`. */
  readonly begun: number
  /** Aborted to end the run early. */
  readonly stop: AbortController
  profile: Profile
  /**
   * Whether something untrusted stood in the latest prompt, or no person asked for the run; what another process asked is not known
   * here, and counts as such.
   */
  untrusted: boolean
  /** For its next step, if that is known. */
  resolved: Model | undefined
  /** Of the session, its own messages included; read before the first step. */
  history: (Pick<History, 'messages' | 'left'> & Partial<History>) | undefined
  readonly steps: StepRow[]
  /** What stands in prompts for results that were moved out of them, by call. */
  readonly referenced: Map<string, string>
  /** No summary could be made: it is not tried again in this process. */
  isUncompacted: boolean
  /** What packs put into its prompts, by type and id. */
  readonly sources: Map<string, ContextItem>
  /** Of each call of a model. */
  readonly usage: CallUsage[]
  emitted: Emitted | undefined
  /** Its last answer is asked for once more. */
  correction: Correction | undefined
  /** Readers saw something of the reply that is under way. */
  hasSpoken: boolean
  /** Another model is left, should this one fail. */
  hasFallback: boolean
  /** Its agent is executed by something else than a model. */
  isExecuted: boolean
  /** The `agent_step` of the step that comes next stands in the stream. */
  announced: boolean
  /** The next position in its session, while no other run has come; undefined when that is not known. */
  next: number | undefined
  /** What it said in the step that goes on, for the record of a run that ends early. */
  content: string
  model: { modelProvider: string; modelId: string } | undefined
  /** How often the prompt of the step that goes on was refused for its length. */
  rejections: number
  /** Resolves when it has ended here, or with undefined when it goes on elsewhere or waits. */
  readonly over: PromiseWithResolvers<StoredRun | undefined>
}

/** A run of which nothing else is known. */
export const liveOf = (
  { run, by, writer, profile }: Pick<Live, 'run' | 'by' | 'writer' | 'profile'>,
  known: Partial<Live>
): Live => ({
  run,
  by,
  writer,
  profile,
  accepted: undefined,
  untrusted: true,
  started: false,
  begun: performance.now(),
  stop: new AbortController(),
  resolved: undefined,
  history: undefined,
  steps: [],
  referenced: new Map(),
  isUncompacted: false,
  sources: new Map(),
  usage: [],
  emitted: undefined,
  correction: undefined,
  hasSpoken: false,
  hasFallback: false,
  isExecuted: false,
  announced: false,
  next: undefined,
  content: '',
  model: undefined,
  rejections: 0,
  over: Promise.withResolvers(),
  ...known
})

/** The runs of this process; they outlive generations. */
export function createLiveRuns({ shared }: Pick<Kernel, 'shared'>) {
  let runs = new Map<string, Live>()

  return {
    /** Before anything else. */
    async open(): Promise<void> {
      const own = runs
      runs = await shared(
        'live/8',
        async () => own,
        async () => undefined
      )
    },
    held: (): Held => runs,
    find: (id: string): Live | undefined => runs.get(id),
    add: (live: Live): void => void runs.set(live.run.id, live),
    /** It is to be cancelled; false where this process does not execute it. */
    stop(id: string, reason: string): boolean {
      const live = runs.get(id)
      if (!live) return false
      live.run.cancelledFor ??= reason as Reason
      live.stop.abort()
      return true
    },
    /** This process does not go on with it. */
    drop(live: Live, ended?: StoredRun): void {
      if (runs.get(live.run.id) === live) runs.delete(live.run.id)
      live.over.resolve(ended)
    }
  }
}
