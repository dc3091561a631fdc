import type { Kernel, RemoveSome } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { RunStore } from '../stores/runs.ts'
import type { TaskStore } from '../stores/tasks.ts'
import type { Stops } from './stops.ts'

interface Deps extends Pick<Kernel, 'streams'> {
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
  stops: Stops
}

/** What goes with a task, and with an agent. */
export function createRemovals({ streams, jobs, taskStore, runStore, stops }: Deps) {
  const runsOf = async (
    trx: Parameters<RemoveSome>[1],
    project: string,
    taskIds: readonly string[],
    limit: number
  ) => {
    const runs = await runStore.listOfTasks(trx, project, taskIds, limit)
    for (const run of runs) {
      if (run.endedAt === null) await stops.stopSoon(trx, run)
      await streams.remove(trx, project, run.id)
    }
    await runStore.removeAll(
      trx,
      project,
      runs.map(({ id }) => id)
    )
    return runs.length
  }

  const removeOfTask: RemoveSome = ({ project, id }, trx, limit) => runsOf(trx, project, [id], limit)

  /** First the runs, then the tasks. */
  const removeOfAgent: RemoveSome = async ({ project, id }, trx, limit) => {
    const ids = await taskStore.listOfAgent(trx, project, id, limit)
    const removed = await runsOf(trx, project, ids, limit)
    if (removed > 0) return removed
    for (const taskId of ids) await jobs.schedules.remove(trx, project, taskId)
    await taskStore.removeAll(trx, project, ids)
    return ids.length
  }

  return { removeOfTask, removeOfAgent }
}
