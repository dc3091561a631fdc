import type { Kernel, Trx } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import { isOpen } from '../executions/journal.ts'
import { waitIdOf } from '../executions/journal-writer.ts'
import type { Attempt } from '../kinds/kind.ts'
import { workflows } from '../schemas/workflows.ts'
import type { Awaited, EventRow, EventStore } from '../stores/events.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { StepStore } from '../stores/steps.ts'
import { configOf, faultOf } from './awaiting.ts'

export type KeptEvents = ReturnType<typeof createKeptEvents>

/** For an execution, and for the keys of a workflow. */
const MOST = { execution: { count: 100, size: 4_194_304 }, workflow: { count: 1_000, size: 16_777_216 } }

/** Rolls back what a step has taken that goes on by something else. */
const SETTLED = new Error('The step waits no more')

interface Deps extends Pick<Kernel, 'transaction'> {
  jobs: Jobs
  executionStore: ExecutionStore
  stepStore: StepStore
  eventStore: EventStore
}

interface Place {
  readonly project: string
  readonly workflowId: string
  readonly executionId: string | null
}

/** Events that came before the steps that take them. */
export function createKeptEvents({ transaction, jobs, executionStore, stepStore, eventStore }: Deps) {
  /**
   * Until the transaction ends nothing comes there, and no step begins to look: what comes, and what begins to wait, see each
   * other. False where that has ended.
   */
  async function lock(trx: Trx, { project, workflowId, executionId }: Place): Promise<boolean> {
    if (executionId === null) return (await workflows.lock(trx, { project, id: workflowId })) !== undefined
    const found = await executionStore.lock(trx, project, executionId)
    return found !== undefined && found.endedAt === null
  }

  /** 409 where too many, or too large ones, are kept with it. */
  async function checkRoom(trx: Trx, row: EventRow): Promise<void> {
    const most = row.executionId === null ? MOST.workflow : MOST.execution
    const { count, size } = await eventStore.countKept(trx, row)
    if (count > most.count || size > most.size)
      throw conflict(`More than ${most.count} events, or ${most.size} bytes of them, wait for their steps`, {
        code: 'too_many_events'
      })
  }

  /** False where the wait was settled, or its time is over. */
  const settle = (trx: Trx, project: string, waitId: string): Promise<boolean> =>
    jobs.waits.settle(trx, project, waitId).then(
      () => true,
      (error) => {
        if (error.code === 'already_settled') return false
        throw error
      }
    )

  /** The event that the step goes on with, if one has come for it. */
  const takenBy = ({ live, row }: Attempt): Promise<EventRow | undefined> =>
    eventStore.findTaken(live.row.project, row.id)

  /** Once the record says that it waits: whether what it waits for had come before, and is the step's now. */
  async function take(attempt: Attempt): Promise<boolean> {
    if (await takenBy(attempt)) return true
    const { live, row, signal } = attempt
    const { project, id: executionId, workflowId } = live.row
    const config = configOf(row)
    const awaited: Awaited = { project, workflowId, executionId, name: config.event, key: config.key ?? null }
    const list = () =>
      transaction(async (trx) => {
        await lockBoth(trx, awaited)
        return eventStore.listKept(trx, awaited)
      })
    for (const event of await list()) {
      if (await faultOf(live.by, config, event.data, signal)) continue
      const outcome = await transaction((trx) => claim(trx, awaited, row.id, event)).catch((error) => {
        if (error === SETTLED) return 'settled' as const
        throw error
      })
      if (outcome !== 'gone') break
    }
    // An attempt that this one takes the place of, cut where the database went, may have taken it meanwhile.
    return (await takenBy(attempt)) !== undefined
  }

  async function claim(trx: Trx, { project, executionId }: Awaited, stepId: string, event: EventRow) {
    await executionStore.lock(trx, project, executionId)
    const now = await stepStore.find(project, stepId, trx)
    if (!now || !isOpen(now) || now.arrival !== null) throw SETTLED
    if (!(await eventStore.updateTaken(trx, event, { executionId, takenBy: stepId }))) return 'gone' as const
    if (!(await settle(trx, project, waitIdOf(now)))) throw SETTLED
    return 'taken' as const
  }

  async function lockBoth(trx: Trx, { project, workflowId, executionId, key }: Awaited): Promise<void> {
    // A workflow that is gone is sent no events by key.
    if (key !== null) await eventStore.lockWorkflow(trx, project, workflowId)
    await executionStore.lock(trx, project, executionId)
  }

  return { lock, checkRoom, settle, take, takenBy }
}
