import type { EventInput, Kernel, Recorded } from 'agent-platform'
import { evaluateTemplate } from 'agent-platform'
import type { StepKinds } from '../kinds/step-kinds.ts'
import type { End, EndStore } from '../stores/ends.ts'
import { encode } from '../stores/json.ts'
import type { Arrivals } from './arrivals.ts'
import { BY_PARENT } from './cancellations.ts'
import { factOf, failureFactOf } from './execution-facts.ts'
import { BYTES, cutOff, failureOf, tooLarge } from './failures.ts'
import type { Ending, ExecutionRecord, StepError, StepRow } from './journal.ts'
import { isOpen } from './journal.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { Live } from './live.ts'
import { isContainer } from './plan.ts'
import { contextOf, lastOutputsOf } from './scopes.ts'

export type Endings = ReturnType<typeof createEndings>

interface Deps extends Pick<Kernel, 'transaction'> {
  endStore: EndStore
  stepKinds: StepKinds
  journalWriter: JournalWriter
  arrivals: Arrivals
}

/** How executions end, and how what is under way in them is given up. */
export function createEndings({ transaction, endStore, stepKinds, journalWriter, arrivals }: Deps) {
  /**
   * Open steps below that path, as cancelled, or of unknown outcome where their process has died in an attempt. What
   * they wait for is cancelled first, again after a crash.
   */
  async function giveUp(live: Live, prefix: string): Promise<StepRow[]> {
    const open = [...live.rows.values()].filter((row) => isOpen(row) && row.path.startsWith(prefix))
    const begun = open.filter((row) => row.ref !== null && !isContainer(row.kind))
    const kinds = Map.groupBy(begun, ({ kind }) => kind)
    await Promise.all([...kinds].map(([kind, rows]) => stepKinds.of(kind).cancel?.(live, rows)))
    const endedAt = new Date().toISOString()
    return open.map((row) =>
      row.status === 'running' && stepKinds.hasEffect(row.kind)
        ? cutOff(row)
        : { ...row, status: 'cancelled', deadline: null, awaits: false, endedAt }
    )
  }

  /** From now on what has been done is undone. */
  async function begin(live: Live, ending: Ending): Promise<void> {
    const events = [{ type: 'status', fields: { status: 'compensating' } }]
    const { cancelledFor: reason } = live.row
    const known = ending.status === 'cancelled' && reason !== null ? { ...ending, reason } : ending
    await journalWriter.write(live, await giveUp(live, ''), { events, ending: known })
  }

  /** A step with steps inside fails, and with it those that are still under way. */
  async function failContainer(live: Live, row: StepRow, error: StepError): Promise<void> {
    const endedAt = new Date().toISOString()
    const failed: StepRow = { ...row, status: 'failed', error, deadline: null, endedAt }
    await journalWriter.write(live, [
      ...(await giveUp(live, row.path)).filter(({ id }) => id !== row.id),
      failed
    ])
  }

  /** Its steps have ended; rejects where there is no output. */
  async function outputOf(live: Live): Promise<unknown> {
    const { definition, root, row, rows } = live
    const output =
      definition.output === undefined
        ? lastOutputsOf(live, root)
        : await evaluateTemplate(live.by, definition.output, contextOf(row, rows, root))
    const bytes = Buffer.byteLength(encode(output))
    if (bytes > BYTES) throw tooLarge('output_too_large', 'The output of the execution', bytes)
    return output ?? null
  }

  /** What is left to be said when nothing is left to be done; the failure of its output is one of its own. */
  async function endOf(live: Live): Promise<End | Ending> {
    const { ending } = live.row
    if (ending) return { ...ending, output: undefined }
    try {
      return { status: 'completed', output: await outputOf(live), error: null }
    } catch (error) {
      const { code, message } = failureOf(error)
      return { status: 'failed', error: { code, message } }
    }
  }

  /** Its last steps and events, its row, the facts of it, and the step that waits for it, in one commit. */
  async function settle(
    { row, writer }: Pick<Live, 'row' | 'writer'>,
    end: End,
    steps: readonly StepRow[],
    events: readonly EventInput[]
  ): Promise<void> {
    const { parentId, parentStep, project } = row
    const fact = factOfEnd(row, end)
    await writer.commit(
      [...events, eventOf(end)],
      (chunk) => {
        const ended = { row, end, steps, chunk, fact }
        // Nothing waits for one that its parent has cancelled.
        const isAwaited = row.ending?.reason !== BY_PARENT
        if (parentId === null || parentStep === null || !isAwaited) return endStore.settle(ended)
        return transaction(async (trx) => {
          if (!(await endStore.settleWith(trx, ended))) return false
          await arrivals.arrive(trx, { project, executionId: parentId, id: parentStep }, { by: 'end' })
          return true
        })
      },
      { ended: true }
    )
  }

  const end = (live: Live, end: End): Promise<void> =>
    journalWriter.last(live, (steps, events) => settle(live, end, steps, events))

  /** One of which this process has done nothing. */
  const refuse = (claimed: Pick<Live, 'row' | 'writer'>, end: End): Promise<void> =>
    settle(claimed, end, [], [])

  return { begin, failContainer, endOf, end, refuse }
}

function eventOf({ status, output, error }: End): EventInput {
  if (status === 'completed') return { type: 'completed', fields: { output } }
  return { type: status, fields: error ?? {} }
}

function factOfEnd(row: ExecutionRecord, { status, error }: End): Recorded {
  if (status === 'failed') return failureFactOf(row, error?.code ?? 'internal')
  return factOf(`workflows.${status}`, row)
}
