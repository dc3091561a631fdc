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
  `${id}:${attempt}${state?.retry === true ? `:retry${state.heldAt ?? ''}` : ''}`

const eventOf = ({ stepId, path, status, attempt, error }: StepRow): EventInput => ({
  type: 'step',
  fields: { stepId, path, status, attempt, ...(error && { error }) }
})

/** Until steps without effect are written, where nothing else is: who follows sees them then. */
const LATEST_MS = 100
const MOST_UNWRITTEN = 100
/** Characters of one: what is larger does not wait in memory. */
const LARGEST_UNWRITTEN = 16_384

/** Steps in the record: each change of the journal is one commit with its events. */
export function createJournalWriter({ transaction, jobs, executionStore, stepStore }: Deps) {
  /** Afterwards memory is as the record is; where it rejects, it is as it was. What was put off goes ahead of it. */
  function write(live: Live, rows: readonly StepRow[], also: Also = {}): Promise<void> {
    const work = live.writing.then(() => commit(live, rows, also))
    live.writing = work.catch(() => undefined)
    return work
  }

  /**
   * Steps without effect, which may be done again: they are in memory now, and in the record with the next commit, so
   * that one of them that follows another costs none. What was interrupted by a crash goes a step at a time.
   */
  async function defer(live: Live, rows: readonly StepRow[]): Promise<void> {
    const { unwritten, row } = live
    const isLarge = rows.some((it) => sizeOf(it) > LARGEST_UNWRITTEN)
    if (row.crashes > 0 || isLarge || unwritten.length >= MOST_UNWRITTEN) return write(live, rows)
    if (unwritten.length === 0) setTimeout(() => void flush(live).catch(() => undefined), LATEST_MS).unref()
    unwritten.push(...rows)
    for (const it of rows) remember(live, it)
    live.writes++
  }

  /** Nothing is put off any more. */
  async function flush(live: Live): Promise<void> {
    await live.writing
    if (live.unwritten.length > 0) await write(live, [])
  }

  /** What was put off goes with the last commit, and is put off again where that rejects. */
  function last(
    live: Live,
    end: (rows: readonly StepRow[], steps: readonly EventInput[]) => Promise<void>
  ): Promise<void> {
    const work = live.writing.then(async () => {
      const taken = live.unwritten.splice(0)
      try {
        await end(latest(taken), taken.map(eventOf))
      } catch (error) {
        live.unwritten.unshift(...taken)
        throw error
      }
    })
    live.writing = work.catch(() => undefined)
    return work
  }

  async function commit(live: Live, rows: readonly StepRow[], also: Also): Promise<void> {
    const taken = live.unwritten.splice(0)
    try {
      await record(live, latest([...taken, ...rows]), [...taken, ...rows].map(eventOf), also)
    } catch (error) {
      live.unwritten.unshift(...taken)
      throw error
    }
    for (const row of rows) remember(live, row)
    live.writes++
  }

  async function record(
    { row: execution, rows: known, writer }: Live,
    rows: readonly StepRow[],
    steps: readonly EventInput[],
    { events = [], opens, ending }: Also
  ): Promise<void> {
    const { project, owner } = execution
    // What came by its deadline, or was decided, has settled the wait.
    const abandoned = rows.flatMap(({ id, path }) => {
      const before = known.get(path)
      return before?.deadline && !before.arrival && before.deadline !== opens?.deadline ? [id] : []
    })
    const isPlain = !opens && !ending && abandoned.length === 0
    const pending = [...steps, ...events]
    if (pending.length > 0)
      await writer.commit(pending, (chunk) => {
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
    if (ending) Object.assign(execution, { ending, cancelledFor: null })
  }

  return { write, defer, flush, last }
}

/** A step that changed twice is one row. */
const latest = (rows: readonly StepRow[]): StepRow[] => [
  ...new Map(rows.map((row) => [row.id, row])).values()
]

function remember(live: Live, row: StepRow): void {
  const before = live.rows.get(row.path)
  live.size += sizeOf(row) - (before ? sizeOf(before) : 0)
  live.rows.set(row.path, isOpen(row) ? { ...row, arrival: null } : row)
}
