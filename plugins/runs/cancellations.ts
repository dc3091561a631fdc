import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Reason } from './stores/row.ts'
import type { RunStore } from './stores/runs.ts'

export type Cancellations = ReturnType<typeof createCancellations>

interface Deps extends Pick<Kernel, 'executions'> {
  runStore: RunStore
}

/** Cancels runs wherever they are: in the record, and in the process that executes them. */
export function createCancellations({ executions, runStore }: Deps) {
  /** Those that had not ended end soon; how many. */
  async function cancel(project: string, runs: readonly string[], reason: Reason): Promise<number> {
    if (runs.length === 0) return 0
    const cancelling = await runStore.updateCancelled(project, runs, reason)
    for (const id of cancelling) executions.cancel('run', id, reason)
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

  /** A principal may do nothing in the project any more. */
  async function ofOwner({ project, data }: Fact<{ principalId: string }>, trx: Trx): Promise<void> {
    const owner = data.principalId
    await cancel(project, await runStore.listUnfinished(trx, { project, owner }), 'access')
  }

  /** Nobody may do anything in the project any more. */
  async function ofProject({ project }: Fact<{ id: string }>, trx: Trx): Promise<void> {
    await cancel(project, await runStore.listUnfinished(trx, { project }), 'access')
  }

  return { cancel, ofSessionBefore, ofGone, ofOwner, ofProject }
}
