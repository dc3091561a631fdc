import type { Owned } from '../identity/ownership.ts'

/**
 * Work that outlives its process: rows of a pack's table, each executed by one instance at a time, a step after another.
 * `kernel/execution/` decides when and where; what a step does, and what the record says, is the pack's. Most packs
 * get all but `step` and `stop` from `executionTable`.
 */
export interface Execution {
  /**
   * One step, in the generation then current; it claims the work first where this process does not hold it. `again`:
   * there is more to do; `done`: it has ended, waits, or is another instance's, as its row says.
   */
  step(id: string, handOver: AbortSignal): Promise<'again' | 'done'>
  /**
   * Leaves what this process holds of it to the next one that claims it, when its steps ended early; `released` tells the
   * others. Never rejects.
   */
  release(id: string): Promise<void>
  /** It is to be cancelled: stops what is in flight here; false where this process does not hold it. */
  stop(id: string, reason: string): boolean
  /** Something that it waits for has come while this process holds it. */
  woken?(id: string): void
  /** What this process holds, by id: no orphan, whatever its row says. It outlives generations (`shared`). */
  held(): Held
  /** Some that no instance executes and that can go on: left by one of `dead`, or released. */
  listOrphaned(
    dead: readonly number[],
    self: number,
    held: readonly string[],
    /** How many of one owner are executed here at a time; where there are more they wait for each other. */
    share: number
  ): Promise<readonly Orphan[]>
  /** Some that are to be cancelled and that no instance executes, or that instance does. */
  listCancelled(self: number): Promise<readonly Cancelled[]>
  /** Begins what waits for its turn; after each look at the record. */
  beginNext?(): Promise<void>
  /** How many are executed on an instance at a time, three fourths of them of one owner; default: any number. */
  readonly concurrency?: number
}

/** As a Map or a Set is. */
export type Held = Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>

export interface Orphan extends Partial<Pick<Owned, 'project' | 'owner'>> {
  readonly id: string
  /** How many processes have died while they executed it since its last finished step, the latest one included. */
  readonly crashes: number
}

export interface Cancelled extends Partial<Pick<Owned, 'project' | 'owner'>> {
  readonly id: string
  readonly cancelledFor: string
}

/**
 * The kernel's columns of a table of `executionTable`; the pack's migration makes them. The pack writes `status`,
 * `instance` and `endedAt` when it ends one, and clears `cancelledFor` once the record says in another way that it is to be
 * cancelled: until then it cannot wait. All else is the kernel's to write.
 */
export interface ExecutionRow extends Owned {
  readonly id: string
  /** `queued`: it can go on; `waiting`: it goes on when it is woken. */
  readonly status: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
  /** Which instance executes it; null while none does. */
  readonly instance: number | null
  /** How often it was begun; one more after each death or hand-over. */
  readonly attempt: number
  readonly crashes: number
  /** How often it was woken: what came while it was executed is not lost. */
  readonly wakes: number
  readonly cancelledFor: string | null
  readonly endedAt: string | null
}

/** The executions of a pack, by the name that its manifest gives them. */
export interface Executions {
  /** Executes it here, once more where that is under way already, until it ends, waits or is handed over. Never rejects. */
  execute(name: string, id: string): Promise<void>
  /**
   * Has a new one recorded, and executes it once `record` resolves with true, with which it resolves: as this instance's
   * own (`isOurs`: `running`, and held, so that its first step claims nothing), or, where as many are executed here as may
   * be, in all or of its owner, as one that is `queued`.
   */
  begin(
    name: string,
    row: Pick<ExecutionRow, 'project' | 'id' | 'owner'>,
    record: (isOurs: boolean) => Promise<boolean>
  ): Promise<boolean>
  /** After the commit that says so: it is to be cancelled, wherever it is. Where `whose` says it, as one of that owner's. */
  cancel(name: string, id: string, reason: string, whose?: Partial<Pick<Owned, 'project' | 'owner'>>): void
  /** After the commit of `executionTable.wake`: it goes on, here or where it is executed. */
  wake(name: string, id: string): void
  /** It was left to others: they look at once. */
  released(name: string): void
}
