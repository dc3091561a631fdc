import type { Kernel, Trx } from 'agent-platform'
import { afterCommit } from 'agent-platform'
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

/** Stops the work of runs that are over for their tasks. */
export function createStops({ log, jobs, runs, workflows }: Deps) {
  /** Soon after the commit, also when this process dies. */
  const stopSoon = (trx: Trx, run: RunRow): Promise<void> => jobs.send('tasks.stop', orderOf(run), { trx })

  /** As soon as it is committed; the job is for when that fails. */
  async function stop(trx: Trx, run: RunRow): Promise<void> {
    await stopSoon(trx, run)
    afterCommit(
      trx,
      () => void halt(orderOf(run)).catch(({ message }) => log.debug({ message }, 'a job stops it'))
    )
  }

  async function halt({ runId, executionId, ...row }: Order): Promise<void> {
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

  const worker: Worker = { concurrency: 16, work: (data) => halt(data as Order) }
  return { stop, stopSoon, worker }
}

const orderOf = ({ project, owner, runId, executionId }: RunRow): Order => {
  return { project, owner, runId, executionId }
}
