import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Workflows } from '../../workflows/contract.ts'
import type { RunRow } from '../stores/runs.ts'
import { ownerOf } from './acting.ts'

export type Stops = ReturnType<typeof createStops>

interface Deps extends Pick<Kernel, 'log'> {
  jobs: Jobs
  runs: Runs
  workflows: Workflows | undefined
}
type Order = Pick<RunRow, 'project' | 'owner' | 'runId' | 'executionId'>

/** Stops the work of runs that are over for their tasks: soon after the commit, also when this process dies. */
export function createStops({ log, jobs, runs, workflows }: Deps) {
  const stop = (trx: Trx, { project, owner, runId, executionId }: RunRow): Promise<void> =>
    jobs.send('tasks.stop', { project, owner, runId, executionId } satisfies Order, { trx })

  const worker: Worker = {
    concurrency: 16,
    async work(data) {
      const { runId, executionId, ...row } = data as Order
      try {
        if (executionId !== null) await workflows?.cancel(ownerOf(row), executionId)
        else if (runId !== null) await runs.cancel(ownerOf(row), runId)
      } catch (error) {
        const { kind } = error as { kind?: string }
        // It has ended, or never began, or went with its session.
        if (kind !== 'conflict' && kind !== 'notFound' && kind !== 'forbidden') throw error
        log.debug({ runId, executionId, kind }, 'there was nothing to stop')
      }
    }
  }
  return { stop, worker }
}
