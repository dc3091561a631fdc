import type { Fact, Kernel, RemoveSome, Trx } from 'agent-platform'
import type { Jobs } from '../jobs/contract.ts'
import type { ApprovalStore } from './stores/approvals.ts'
import type { QuestionStore } from './stores/questions.ts'
import type { Parent, RunStore } from './stores/runs.ts'

const BATCH = 200

interface Deps extends Pick<Kernel, 'transaction' | 'streams'> {
  jobs: Jobs
  runStore: RunStore
  questionStore: QuestionStore
  approvalStore: ApprovalStore
}

/** What runs leave behind goes with their session and with their agent. */
export function createRemovals({ transaction, streams, jobs, runStore, questionStore, approvalStore }: Deps) {
  /** Ended runs of an agent, in the caller's transaction; how many. */
  const removeOfAgent: RemoveSome = async ({ project, id }, trx, limit) =>
    remove(trx, project, await runStore.listEnded(trx, Math.min(limit, BATCH), { project, agentId: id }))

  async function remove(trx: Trx, project: string, runs: readonly string[]): Promise<number> {
    for (const id of runs) {
      await streams.remove(trx, project, id)
      await jobs.waits.abandon(trx, project, id)
    }
    if (runs.length === 0) return 0
    await questionStore.removeOfRuns(trx, project, runs)
    await runStore.remove(trx, project, runs)
    return runs.length
  }

  async function sessionDeleted({ project, data }: Fact<{ id: string; agentId: string }>, trx: Trx) {
    await approvalStore.removeOfSession(trx, project, data.id)
    await jobs.send('runs.clean-up', { project, agentId: data.agentId, sessionId: data.id }, { trx })
  }
  /** Beside `removeOfAgent`, which comes too early for runs that are just being cancelled. */
  const agentDeleted = ({ project, data }: Fact<{ id: string }>, trx: Trx) =>
    jobs.send('runs.clean-up', { project, agentId: data.id }, { trx })

  /** All runs of a session or an agent that is gone; fails, and so is tried again, while one has not ended. */
  async function removeOfGone(data: object): Promise<void> {
    const parent = data as Parent
    // Asked first: one that ends meanwhile would be neither ended nor unfinished.
    const left = await transaction((trx) => runStore.listUnfinished(trx, parent))
    for (let removed = BATCH; removed === BATCH; )
      removed = await transaction(async (trx) =>
        remove(trx, parent.project, await runStore.listEnded(trx, BATCH, parent))
      )
    if (left.length > 0) throw new Error('Runs of what is gone have not ended yet')
  }

  async function forgetRequests(): Promise<void> {
    await runStore.removeRequestKeys()
  }

  return { removeOfAgent, sessionDeleted, agentDeleted, removeOfGone, forgetRequests }
}
