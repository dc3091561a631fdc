import type { EventInput, Kernel } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Ending, StepRow } from './journal.ts'
import { isOpen, sizeOf } from './journal.ts'
import type { Live } from './live.ts'

export type JournalWriter = ReturnType<typeof createJournalWriter>

/** The waiter at `jobs.waiter` of whatever has a deadline here. */
export const WAITER = 'workflows.step'

/** Rolls the transaction back: another process is at it. */
const LOST = Object.assign(new Error('The execution goes on elsewhere'), { code: 'stream_lost' })

interface Deps extends Pick<Kernel, 'transaction'> {
  jobs: Jobs
  executionStore: ExecutionStore
  stepStore: StepStore
}

/** What goes with a commit beside rows and events. */
interface Also {
  readonly events?: readonly EventInput[]
  /** A row whose wait is opened. */
  readonly opens?: StepRow
  readonly ending?: Ending
}

export const waitIdOf = ({ id, attempt, state }: StepRow): string =>
  `${id}:${attempt}${state?.retry === true ? ':retry' : ''}`

const eventOf = ({ stepId, path, status, attempt, error }: StepRow): EventInput => ({
  type: 'step',
  fields: { stepId, path, status, attempt, ...(error && { error }) }
})

/** Steps in the record: each change of the journal is one commit with its events. */
export function createJournalWriter({ transaction, jobs, executionStore, stepStore }: Deps) {
  /** Afterwards memory is as the record is; where it rejects, it is as it was. */
  async function write(live: Live, rows: readonly StepRow[], { events = [], opens, ending }: Also = {}) {
    const { row: execution, writer } = live
    const { project, owner } = execution
    // What came by its deadline, or was decided, has settled the wait.
    const abandoned = rows.flatMap(({ id, path }) => {
      const before = live.rows.get(path)
      return before?.deadline && !before.arrival && before.deadline !== opens?.deadline ? [id] : []
    })
    const isPlain = !opens && !ending && abandoned.length === 0
    const told = [...rows.map(eventOf), ...events]
    if (told.length > 0)
      await writer.commit(told, (chunk) => {
        if (isPlain) return stepStore.settle(execution, rows, chunk)
        return transaction(async (trx) => {
          // In the order in which everything here locks: execution, wait, step.
          if (ending && !(await executionStore.updateEnding(trx, execution, ending))) throw LOST
          for (const id of abandoned) await jobs.waits.abandon(trx, project, id)
          if (rows.length > 0) {
            if (!(await stepStore.settle(execution, rows, chunk, trx))) throw LOST
          } else await chunk.insert(trx)
          if (opens) {
            const wait = { id: waitIdOf(opens), project, owner, waiter: WAITER, subject: opens.id }
            await jobs.waits.open(trx, { ...wait, deadline: new Date(opens.deadline as string) })
          }
          return true
        })
      })
    for (const row of rows) remember(live, row)
    live.writes++
    if (ending) Object.assign(execution, { ending, cancelledFor: null })
  }

  return { write }
}

function remember(live: Live, row: StepRow): void {
  const before = live.rows.get(row.path)
  live.size += sizeOf(row) - (before ? sizeOf(before) : 0)
  live.rows.set(row.path, isOpen(row) ? { ...row, arrival: null } : row)
}
