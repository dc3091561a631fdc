import type { ExecutionTable, Fact, Kernel, Principal, Trx } from 'agent-platform'
import type { Jobs, Wait } from '../../jobs/contract.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { StepStore } from '../stores/steps.ts'
import { EXECUTION } from './cancellations.ts'
import { recordOf } from './execution-facts.ts'
import type { Arrival, ExecutionRecord } from './journal.ts'

export type Arrivals = ReturnType<typeof createArrivals>

interface Deps extends Pick<Kernel, 'transaction' | 'executions' | 'facts'> {
  jobs: Jobs
  executionTable: ExecutionTable<ExecutionRecord>
  executionStore: ExecutionStore
  stepStore: StepStore
}

interface Place {
  readonly project: string
  readonly executionId: string
  /** Of the step's row. */
  readonly id: string
}

/** What steps wait for comes here, and wakes their executions. */
export function createArrivals({
  transaction,
  executions,
  facts,
  jobs,
  executionTable,
  executionStore,
  stepStore
}: Deps) {
  /** In the caller's transaction. Locks in the order of everything here: execution, wait, step. */
  async function arrive(trx: Trx, { project, executionId, id }: Place, arrival: Arrival): Promise<void> {
    await executionTable.wake(trx, project, [executionId])
    if (!(await stepStore.updateArrival(trx, project, id, arrival))) return
    trx.executionPromise.then(
      () => executions.wake(EXECUTION, executionId),
      () => undefined
    )
  }

  /** The deadline of a step has passed. */
  async function expired({ project, id, subject }: Wait): Promise<void> {
    const step = await stepStore.find(project, subject)
    if (!step) return
    await transaction(async (trx) => {
      await executionStore.lock(trx, project, step.executionId)
      if (await jobs.waits.expire(trx, project, id))
        await arrive(trx, { project, executionId: step.executionId, id: subject }, { by: 'time' })
    })
  }

  /** Runs that steps wait for have ended. Most are not waited for: one look finds those that are. */
  async function ended(facts: readonly Fact<{ runId?: string }>[], trx: Trx): Promise<void> {
    for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
      const refs = about.map(({ subject, data }) => data.runId ?? subject)
      for (const { id, executionId } of await stepStore.listByRefs(trx, project, refs))
        await arrive(trx, { project, executionId, id }, { by: 'end' })
    }
  }

  /** What a step waits for waits for something from outside itself, or goes on. */
  const resting =
    (awaits: boolean) =>
    async ({ project, subject, data }: Fact<{ runId?: string; executionId?: string }>, trx: Trx) => {
      const step = await stepStore.findByRef(trx, project, data.runId ?? data.executionId ?? subject)
      const execution = step && (await executionStore.find(step.executionId, trx))
      if (!execution || step.awaits === awaits) return
      const locked = await executionStore.lock(trx, project, execution.id)
      await stepStore.updateAwaits(trx, project, step.id, awaits)
      // While it is being executed it says so itself when it begins to wait.
      if (locked?.status === 'waiting')
        await recordOf(facts, trx, awaits ? 'workflows.suspended' : 'workflows.resumed', execution)
      else await executionTable.wake(trx, project, [execution.id])
    }

  /** In the transaction of a decision or an event: it goes on, and says so. */
  async function answered(
    trx: Trx,
    place: Place,
    arrival: Arrival,
    status: string | undefined,
    by: Principal
  ): Promise<void> {
    const execution = await executionStore.find(place.executionId, trx)
    if (execution && status === 'waiting') await recordOf(facts, trx, 'workflows.resumed', execution, by)
    await arrive(trx, place, arrival)
  }

  return { arrive, expired, ended, resting, answered }
}
