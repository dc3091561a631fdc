import type { Kernel, Principal, Writer } from 'agent-platform'
import type { Profile } from '../../agents/contract.ts'
import type { ChatMessage, Usage } from '../schemas/runs.ts'
import type { StoredRun } from '../stores/row.ts'
import type { StepRow } from '../stores/steps.ts'

export type LiveRuns = ReturnType<typeof createLiveRuns>

/** What readers saw of a step that was cut, in the form of `retelling`. */
export interface Shown {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A run that this process goes on with: its record, and what lies in memory until the next step. */
export interface Live {
  readonly run: StoredRun
  readonly by: Principal
  readonly writer: Writer
  /** False until the record says that it goes on here: it may have to wait in its session instead. */
  started: boolean
  /** When this process began to go on with it, in `performance.now()`. */
  readonly begun: number
  /** Aborted to end the run early. */
  readonly stop: AbortController
  profile: Profile
  /** Of the session, its own messages included; read before the first step. */
  history: { messages: readonly ChatMessage[]; left: number } | undefined
  readonly steps: StepRow[]
  /** Of each call of the model. */
  readonly usage: Usage[]
  shown: Shown | undefined
  /** The `agent_step` of the step that comes next stands in the stream. */
  announced: boolean
  /** Where the session goes on, unless somebody else waits in it; undefined when that is not known. */
  next: number | undefined
  /** What it said in the step that goes on, for the record of a run that ends early. */
  content: string
  model: { modelProvider: string; modelId: string } | undefined
  /** Resolves when it has ended here, or with undefined when it goes on elsewhere or waits. */
  readonly over: PromiseWithResolvers<StoredRun | undefined>
}

/** Signal: a run is to be cancelled. */
export const cancelled = 'runs.cancelled'

/** The runs of this process, and those that are being driven; they outlive generations. */
export function createLiveRuns({ shared }: Pick<Kernel, 'shared'>) {
  let runs = new Map<string, Live>()
  let driven = new Set<string>()

  return {
    /** Before anything else. */
    async open(): Promise<void> {
      const held = { runs, driven }
      ;({ runs, driven } = await shared(
        'live/1',
        async () => held,
        async () => undefined
      ))
    },
    find: (id: string): Live | undefined => runs.get(id),
    ids: (): string[] => [...runs.keys()],
    add: (live: Live): void => void runs.set(live.run.id, live),
    /** This process does not go on with it. */
    drop(live: Live, ended?: StoredRun): void {
      if (runs.get(live.run.id) === live) runs.delete(live.run.id)
      live.over.resolve(ended)
    },
    /** Runs `work` unless it is under way for that run already. */
    async once(id: string, work: () => Promise<void>): Promise<void> {
      if (driven.has(id)) return
      driven.add(id)
      try {
        await work()
      } finally {
        driven.delete(id)
      }
    }
  }
}
