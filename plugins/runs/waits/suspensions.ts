import type { Kernel, Trx } from 'agent-platform'
import { principalOf } from '../run-info.ts'
import type { StoredRun } from '../stores/row.ts'
import type { SuspensionStore } from '../stores/suspensions.ts'

export type Suspensions = ReturnType<typeof createSuspensions>

interface Deps extends Pick<Kernel, 'facts'> {
  suspensionStore: SuspensionStore
}

/**
 * Says of runs that they wait for something from outside, and that they go on, by turns: in the transactions that make
 * it so, in which the run is locked. One that gets a part of what it waits for still waits, though it may be at work.
 */
export function createSuspensions({ facts, suspensionStore }: Deps) {
  const record = (trx: Trx, name: 'runs.suspended' | 'runs.resumed', run: StoredRun) => {
    const { id: runId, sessionId, agentId, owner } = run
    const data = { runId, sessionId, agentId }
    return facts.record(trx, name, principalOf(run), { subject: runId, owner, data })
  }

  return {
    /** It goes on with something from outside alone. */
    async suspend(trx: Trx, run: StoredRun): Promise<void> {
      if (await suspensionStore.updateSuspended(trx, run)) await record(trx, 'runs.suspended', run)
    },
    /** Something came, or is not waited for any more: it goes on if that was the last. */
    async resume(trx: Trx, run: StoredRun): Promise<void> {
      if (await suspensionStore.updateResumed(trx, run)) await record(trx, 'runs.resumed', run)
    }
  }
}
