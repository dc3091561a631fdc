import type { Execution } from '../contract/execution.ts'
import type { Holder } from './slots.ts'
import { shareOf } from './slots.ts'

/** Work that was under way in so many processes that died is tried alone, and later: it may be what they died of. */
const SUSPECT_CRASHES = 2
const LATER_MS = 3_000

interface Deps {
  /** Whether a process at a time executes one that is suspect. */
  execute(id: string, whose?: Holder): Promise<void>
  /** Slots of the kind, and how many of them are left. */
  limit(): number
  free(): number
  stop(id: string, reason: string): boolean
}

/** Finds orphaned executions of one kind in the record, and those that are to be cancelled. */
export function createOrphanScan({ execute, limit, free, stop }: Deps) {
  /** When they were found. */
  let suspects = new Map<string, number>()
  let alone: string | undefined

  async function scan(execution: Execution, dead: readonly number[], self: number): Promise<void> {
    const orphans = await execution.listOrphaned(dead, self, [...execution.held().keys()], shareOf(limit()))
    for (const { id, ...whose } of orphans
      .filter(({ crashes }) => crashes < SUSPECT_CRASHES)
      .slice(0, free()))
      void execute(id, whose)
    tryAlone(orphans.filter(({ crashes }) => crashes >= SUSPECT_CRASHES).map(({ id }) => id))
    for (const { id, cancelledFor, ...whose } of await execution.listCancelled(self))
      if (!stop(id, cancelledFor)) void execute(id, whose)
    await execution.beginNext?.()
  }

  /** One of them, if it was found long enough ago and this process is at no other. */
  function tryAlone(ids: readonly string[]): void {
    const now = performance.now()
    suspects = new Map(ids.map((id) => [id, suspects.get(id) ?? now]))
    if (alone !== undefined) return
    const due = ids.find((id) => now - (suspects.get(id) ?? now) >= LATER_MS)
    if (due === undefined) return
    alone = due
    void execute(due).finally(() => {
      alone = undefined
    })
  }

  return { scan }
}
