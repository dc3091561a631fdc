import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { WorkflowSettings } from '../settings.ts'
import type { EventStore } from '../stores/events.ts'
import type { PastExecutionStore } from '../stores/past-executions.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Cancellations } from './cancellations.ts'

const BATCH = 100

interface Deps extends Pick<Kernel, 'transaction' | 'streams'> {
  jobs: Jobs
  pastExecutionStore: PastExecutionStore
  stepStore: StepStore
  eventStore: EventStore
  settings: WorkflowSettings
  cancellations: Cancellations
}

interface Gone {
  readonly project: string
  readonly workflowId: string
}

/** Executions go with their workflow. */
export function createExecutionRemovals(deps: Deps) {
  const { transaction, streams, jobs, pastExecutionStore, stepStore, eventStore, settings, cancellations } =
    deps

  /** Those that go on are cancelled, and all are removed once they have ended, and its versions with them. */
  async function workflowDeleted({ project, subject }: Fact<{ id: string }>, trx: Trx): Promise<void> {
    const unfinished = await pastExecutionStore.listUnfinished(trx, project, subject)
    await cancellations.cancelWith(trx, project, unfinished, 'workflow')
    await jobs.send('workflows.clean-up', { project, workflowId: subject }, { trx })
  }

  /** A principal may do nothing in the project any more: its executions are cancelled, and stay to be looked at. */
  async function accessEnded({ project, data }: Fact<{ principalId: string }>, trx: Trx): Promise<void> {
    const unfinished = await pastExecutionStore.listUnfinishedOf(trx, project, data.principalId)
    await cancellations.cancelWith(trx, project, unfinished, 'access')
  }

  /** The same of everybody. */
  async function projectClosed({ project }: Fact<{ id: string }>, trx: Trx): Promise<void> {
    const unfinished = await pastExecutionStore.listUnfinishedOf(trx, project)
    await cancellations.cancelWith(trx, project, unfinished, 'access')
  }

  /** Fails, and so is tried again, while one has not ended. */
  async function removeOfGone(data: object): Promise<void> {
    const { project, workflowId } = data as Gone
    // Asked first: one that ends meanwhile would be neither ended nor unfinished.
    const left = await transaction((trx) => pastExecutionStore.listUnfinished(trx, project, workflowId))
    for (let removed = BATCH; removed === BATCH; )
      removed = await transaction(async (trx) => {
        const ids = await pastExecutionStore.listEnded(trx, project, workflowId, BATCH)
        for (const id of ids) await streams.remove(trx, project, id)
        await stepStore.removeOfExecutions(trx, project, ids)
        await pastExecutionStore.remove(trx, project, ids)
        return ids.length
      })
    if (left.length > 0) throw new Error('Executions of what is gone have not ended yet')
    // They were what its executions had to undo their steps by.
    await transaction(async (trx) => {
      await eventStore.removeOfWorkflow(trx, project, workflowId)
      await pastExecutionStore.removeVersions(trx, project, workflowId)
    })
  }

  async function forgetKeys(): Promise<void> {
    await pastExecutionStore.updateForgotten()
    await eventStore.removePast(settings.eventSeconds)
  }

  return { workflowDeleted, accessEnded, projectClosed, removeOfGone, forgetKeys }
}
