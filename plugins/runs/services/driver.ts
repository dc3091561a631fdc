import type { Kernel } from 'agent-platform'
import type { RunStore } from '../stores/runs.ts'
import type { Live, LiveRuns } from './live-runs.ts'

export type Driver = ReturnType<typeof createDriver>

/** Signal: an instance let go of a run. */
export const released = 'runs.released'

interface Deps extends Pick<Kernel, 'advance' | 'instances' | 'signals' | 'log'> {
  runStore: RunStore
  liveRuns: LiveRuns
}

/** Carries runs forward, a step at a time, each in the generation then current. */
export function createDriver({ advance, instances, signals, log, runStore, liveRuns }: Deps) {
  /** Until the run has ended, waits, or goes on elsewhere. Never rejects. */
  function drive(id: string): Promise<void> {
    return liveRuns.once(id, async () => {
      try {
        await advance('go-on', id)
      } catch (error) {
        // The pack is off, say: what the record holds is gone on with when somebody looks for it.
        log.warn({ err: error, run: id }, 'a run stays where it is')
      }
      const live = liveRuns.find(id)
      if (live)
        await letGo(live).catch((error) => log.warn({ err: error, run: id }, 'a run was left as it is'))
    })
  }

  /** Leaves the run to whoever comes next: what was said is durable then. */
  async function letGo(live: Live): Promise<void> {
    try {
      await live.writer.release()
      const instance = instances.id()
      if (instance !== undefined) await runStore.settleRelease(live.run, instance)
      signals.send(released)
    } finally {
      liveRuns.drop(live)
    }
  }

  return { drive, letGo }
}
