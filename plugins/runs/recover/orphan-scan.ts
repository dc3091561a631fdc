import type { Kernel } from 'agent-platform'
import type { Executor } from '../execute/executor.ts'
import { released } from '../execute/executor.ts'
import type { LiveRuns } from '../execute/live-runs.ts'
import { cancelled } from '../execute/live-runs.ts'
import type { Reason } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'

/** Milliseconds between two looks for instances that died. */
const LOOK_MS = 250
/** So many looks, and the record is scanned whatever they showed. */
const EVERY = 8
/** A run that was under way in so many processes that died is tried alone, and later: it may be what they died of. */
const SUSPECT_CRASHES = 2
const LATER_MS = 3_000

interface Deps extends Pick<Kernel, 'signals' | 'instances' | 'log'> {
  runStore: RunStore
  liveRuns: LiveRuns
  executor: Executor
}

/** Looks for orphaned runs, of instances that died or released them, and for queues that stand still. */
export function createOrphanScan({ signals, instances, log, runStore, liveRuns, executor }: Deps) {
  let timer: NodeJS.Timeout | undefined
  let hearing: Disposable[] = []
  let looks = 0
  let known = ''
  let looking = false
  /** When they were found. */
  let suspects = new Map<string, number>()

  async function look(always = false): Promise<void> {
    if (looking) return
    looking = true
    try {
      const dead = await instances.dead()
      const news = dead.join() !== known
      if (news || always || looks++ % EVERY === 0) await scan(dead)
      known = dead.join()
    } catch (error) {
      log.debug({ err: error }, 'the scan for orphaned runs is tried again')
    } finally {
      looking = false
    }
  }

  async function scan(dead: readonly number[]): Promise<void> {
    const self = instances.id()
    if (self === undefined) return
    const orphans = await runStore.listOrphaned(dead, self, liveRuns.ids())
    for (const { id, crashes } of orphans) if (crashes < SUSPECT_CRASHES) void executor.execute(id)
    tryAlone(orphans.filter(({ crashes }) => crashes >= SUSPECT_CRASHES).map(({ id }) => id))
    for (const { id, cancelledFor } of await runStore.listCancelled(self))
      if (!stopHere(id, cancelledFor)) void executor.execute(id)
    await executor.beginNext()
  }

  /** One of them, if it was found long enough ago and this process is at no other. */
  function tryAlone(ids: readonly string[]): void {
    const now = performance.now()
    suspects = new Map(ids.map((id) => [id, suspects.get(id) ?? now]))
    if (liveRuns.some(({ run }) => run.crashes >= SUSPECT_CRASHES)) return
    const due = ids.find((id) => now - (suspects.get(id) ?? now) >= LATER_MS)
    if (due !== undefined) void executor.execute(due)
  }

  function stopHere(id: string, reason: Reason): boolean {
    const live = liveRuns.find(id)
    if (!live) return false
    live.run.cancelledFor ??= reason
    live.stop.abort()
    return true
  }

  return {
    begin(): void {
      timer = setInterval(() => void look(), LOOK_MS).unref()
      hearing = [
        signals.on(released, () => void look(true)),
        signals.on(cancelled, (data) => stopHere(...(data as [string, Reason])))
      ]
      void look(true)
    },
    end(): void {
      clearInterval(timer)
      for (const one of hearing) one[Symbol.dispose]()
    }
  }
}
