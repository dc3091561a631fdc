import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Executor } from './execute/executor.ts'
import type { LiveRuns } from './execute/live-runs.ts'
import { cancelled } from './execute/live-runs.ts'
import type { Reason } from './stores/row.ts'
import type { RunStore } from './stores/runs.ts'

export type Cancellations = ReturnType<typeof createCancellations>

interface Deps extends Pick<Kernel, 'signals'> {
  runStore: RunStore
  liveRuns: LiveRuns
  executor: Executor
}

/** Cancels runs wherever they are: in the record, and by a signal to the process that executes them. */
export function createCancellations({ signals, runStore, liveRuns, executor }: Deps) {
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
        // If no process executes it, it is ended here.
        void executor.execute(id)
      }
    }
    return cancelling.length
  }

  /** What a newer run of the session takes the place of. */
  const ofSessionBefore = async (project: string, sessionId: string, position: number, reason: Reason) =>
    cancel(project, await runStore.listBefore(project, sessionId, position), reason)

  /** A session is gone, or an agent, and with it the readers of its runs. */
  const ofGone =
    (reason: 'session' | 'agent') =>
    async ({ project, data }: Fact<{ id: string; agentId?: string }>, trx: Trx): Promise<void> => {
      const parent =
        reason === 'agent' ? { agentId: data.id } : { agentId: data.agentId as string, sessionId: data.id }
      const runs = await runStore.listUnfinished(trx, { project, ...parent })
      await cancel(project, runs, reason)
    }

  return { cancel, ofSessionBefore, ofGone }
}
