import type { Held, Kernel, Principal, Writer } from 'agent-platform'
import type { Definition } from '../schemas/definition.ts'
import type { ExecutionRecord, StepError, StepRow } from './journal.ts'
import type { Scope } from './scopes.ts'

export type LiveExecutions = ReturnType<typeof createLiveExecutions>

/** An execution that this process holds: its record, as far as it is written, and what lies in memory beside it. */
export interface Live {
  readonly row: ExecutionRecord
  /** Its owner, with what the token left that it was begun with. */
  readonly by: Principal
  readonly writer: Writer
  readonly definition: Definition
  readonly root: Scope
  /** The journal, by path. */
  readonly rows: Map<string, StepRow>
  /** Prefixes of items that have ended. */
  readonly settled: Set<string>
  /** Paths whose runs and executions may have ended before the record said that they are waited for. */
  readonly unchecked: Set<string>
  /** What was done without effect and waits for the next commit. */
  readonly unwritten: StepRow[]
  /** The commit of the journal that is under way. Never rejects. */
  writing: Promise<unknown>
  /** Why its owner may not go on with it: found so by the last step that began with an effect. */
  refusal: StepError | undefined
  /** Characters of all outputs. */
  size: number
  /** As the record had it before its arrivals were read. */
  wakes: number
  woken: boolean
  /** Count the looks at what others wrote, and what is written here: each may have missed the other. */
  looks: number
  writes: number
  /** Resolves at the next `nudge`. */
  change: PromiseWithResolvers<void>
}

/** One of which nothing has been done. */
export const newLive = (
  row: ExecutionRecord,
  by: Principal,
  writer: Writer,
  definition: Definition
): Live => ({
  row,
  by,
  writer,
  definition,
  root: { prefix: '', steps: definition.steps },
  rows: new Map(),
  settled: new Set(),
  unchecked: new Set(),
  unwritten: [],
  writing: Promise.resolve(),
  refusal: undefined,
  size: 0,
  wakes: row.wakes,
  woken: false,
  looks: 0,
  writes: 0,
  change: Promise.withResolvers()
})

/** Something has come for it: who waits looks again. */
export function nudge(live: Live): void {
  live.change.resolve()
  live.change = Promise.withResolvers()
}

/** The executions of this process; they outlive generations. */
export function createLiveExecutions({ shared }: Pick<Kernel, 'shared'>) {
  let executions = new Map<string, Live>()
  return {
    /** Before anything else. */
    async open(): Promise<void> {
      executions = await shared(
        'live/1',
        async () => executions,
        async () => undefined
      )
    },
    find: (id: string): Live | undefined => executions.get(id),
    held: (): Held => executions,
    add: (live: Live): void => void executions.set(live.row.id, live),
    drop: ({ row: { id } }: Live): void => void executions.delete(id)
  }
}
