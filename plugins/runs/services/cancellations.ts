import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Reason } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Driver } from './driver.ts'
import type { LiveRuns } from './live-runs.ts'
import { cancelled } from './live-runs.ts'

export type Cancellations = ReturnType<typeof createCancellations>

interface Deps extends Pick<Kernel, 'signals'> {
  runStore: RunStore
  liveRuns: LiveRuns
  driver: Driver
}

/** Cancels runs wherever they are: noted in the record, and told to the process that goes on with them. */
export function createCancellations({ signals, runStore, liveRuns, driver }: Deps) {
  /** Those that had not ended end soon; how many. */
  async function cancel(project: string, runs: readonly string[], reason: Reason): Promise<number> {
    if (runs.length === 0) return 0
    const cancelling = await runStore.updateCancelled(project, runs, reason)
    for (const id of cancelling) {
      const live = liveRuns.find(id)
      if (live) {
        live.run.cancelledFor ??= reason
        live.stop.abort()
      } else {
        signals.send(cancelled, [id, reason])
        // Nobody's: then it is ended here.
        void driver.drive(id)
      }
    }
    return cancelling.length
  }

  /** What a newer run of the session takes the place of. */
  const ofSessionBefore = async (project: string, sessionId: string, place: number, reason: Reason) =>
    cancel(project, await runStore.listBefore(project, sessionId, place), reason)

  /** A session is gone, or an agent: nobody will read what its runs say. */
  const ofGone =
    (reason: 'session' | 'agent') =>
    async ({ project, data }: Fact<{ id: string; agentId?: string }>, trx: Trx): Promise<void> => {
      const [agentId, sessionId] = reason === 'agent' ? [data.id] : [data.agentId as string, data.id]
      const runs = await runStore.listUnfinished(trx, project, agentId as string, sessionId)
      await cancel(project, runs, reason)
    }

  return { cancel, ofSessionBefore, ofGone }
}
