import type { Kernel, Principal, RemoveSome, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { ResultStore } from '../stores/results.ts'
import { ownerOf } from './progress.ts'

interface Deps extends Pick<Kernel, 'streams'> {
  jobs: Jobs
  sessions: Sessions
  experimentStore: ExperimentStore
  resultStore: ResultStore
}
interface Left {
  readonly project: string
  readonly sessions: readonly { readonly owner: string; readonly id: string }[]
}

export const FORGET = 'evaluations.forget'

/** What goes with experiments, with datasets and with agents. */
export function createRemovals({ streams, jobs, sessions, experimentStore, resultStore }: Deps) {
  /** Results, with the sessions of their runs, which go a moment later. */
  async function resultsOf(trx: Trx, project: string, ids: readonly string[], limit: number) {
    const removed = await resultStore.removeSome(trx, project, ids, limit)
    const left = removed.flatMap(({ owner, sessionId }) =>
      sessionId === null ? [] : [{ owner, id: sessionId }]
    )
    if (left.length > 0) await jobs.send(FORGET, { project, sessions: left } satisfies Left, { trx })
    return removed.length
  }

  const removeOfExperiment: RemoveSome = async ({ project, id }, trx, limit) => {
    await streams.remove(trx, project, id)
    return resultsOf(trx, project, [id], limit)
  }

  /** First the results, then the experiments. */
  const removeOf =
    (of: 'datasetId' | 'agentId'): RemoveSome =>
    async ({ project, id }, trx, limit) => {
      const which = of === 'datasetId' ? { datasetId: id } : { agentId: id }
      const ids = await experimentStore.listIdsOf(trx, project, which, limit)
      const removed = await resultsOf(trx, project, ids, limit)
      if (removed > 0) return removed
      for (const experimentId of ids) await streams.remove(trx, project, experimentId)
      return experimentStore.removeAll(trx, project, ids)
    }

  const forgetting: Worker = {
    async work(data) {
      const { project, sessions: left } = data as Left
      for (const { owner, id } of left) await forget(ownerOf({ project, owner }), id)
    }
  }
  /** It may be gone with its agent. */
  const forget = (by: Principal, id: string): Promise<void> =>
    sessions.remove(by, id).catch((error) => {
      if (error.kind !== 'notFound' && error.kind !== 'forbidden') throw error
    })

  return { removeOfExperiment, removeOf, forgetting }
}
