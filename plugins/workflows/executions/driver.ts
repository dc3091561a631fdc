import { setTimeout as delay } from 'node:timers/promises'
import type { WorkflowSettings } from '../settings.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { StepStore } from '../stores/steps.ts'
import { agentRoomOf } from './agent-room.ts'
import type { Attempts } from './attempts.ts'
import type { Endings } from './endings.ts'
import { factOf } from './execution-facts.ts'
import type { InFlight } from './in-flight.ts'
import { createInFlight } from './in-flight.ts'
import { isOpen } from './journal.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { Live } from './live.ts'
import { nudge } from './live.ts'
import type { Plan } from './plan.ts'
import { isContainer, planOf } from './plan.ts'
import { locate, pathOf } from './scopes.ts'
import { causeOf, failingContainers, merge, skipped, undoing } from './turns.ts'

export type Driver = ReturnType<typeof createDriver>

/** How long attempts may go on when their process or generation is to be left. */
const LEAVING_MS = 10_000
/** Something came while it was about to wait. */
const WOKEN = new Error('There is something to go on with')

interface Deps {
  settings: WorkflowSettings
  executionStore: ExecutionStore
  stepStore: StepStore
  attempts: Attempts
  endings: Endings
  journalWriter: JournalWriter
}

/** Takes an execution forward by its plan, until nothing of it lies in memory. */
export function createDriver(deps: Deps) {
  const { settings, executionStore, stepStore, attempts, endings, journalWriter } = deps

  /** `again` as often as it has no attempt under way; `done` when it has ended, waits, or is executed elsewhere. */
  async function drive(live: Live, handOver: AbortSignal): Promise<'again' | 'done'> {
    const inFlight = createInFlight(live)
    const leave = async () => {
      nudge(live)
      await delay(LEAVING_MS, undefined, { ref: false })
      inFlight.handOver()
    }
    handOver.addEventListener('abort', leave)
    try {
      for (let first = true; ; first = false) {
        const { promise } = live.change
        inFlight.check()
        if (!first && inFlight.size === 0) return 'again'
        const next = await turn(live, inFlight, handOver.aborted)
        if (next !== 'wait') {
          inFlight.check()
          return next
        }
        await promise
      }
    } finally {
      handOver.removeEventListener('abort', leave)
      inFlight.handOver()
    }
  }

  /** Everything that can be done at once; `wait`: for the attempts that are under way. */
  async function turn(
    live: Live,
    inFlight: InFlight,
    isLeaving: boolean
  ): Promise<'again' | 'done' | 'wait'> {
    const { row } = live
    if (live.woken && !(await refresh(live))) return 'done'
    if (row.cancelledFor !== null && row.ending === null) {
      if (inFlight.cancel('')) return 'wait'
      await endings.begin(live, { status: 'cancelled', error: null })
      return 'again'
    }
    if (live.refusal && row.ending === null) {
      if (inFlight.cancel('')) return 'wait'
      await endings.begin(live, { status: 'failed', error: live.refusal })
      return 'again'
    }
    const plan = row.ending ? undoing(live) : planOf(live.root, live.rows, live.settled)
    if (typeof plan.over === 'object' && plan.over.failed) {
      if (inFlight.cancel('')) return 'wait'
      await endings.begin(live, { status: 'failed', error: causeOf(plan.over.failed) })
      return 'again'
    }
    if (plan.skip.length > 0) {
      await journalWriter.defer(live, plan.skip.map(skipped))
      if (inFlight.size === 0) return 'again'
      return turn(live, inFlight, isLeaving)
    }
    const [failing] = failingContainers(live, plan)
    if (failing) {
      const { path } = failing.row
      if (inFlight.cancel(`${path}.`) || inFlight.cancel(`${path}[`)) return 'wait'
      await endings.failContainer(live, failing.row, failing.error)
      return inFlight.size === 0 ? 'again' : turn(live, inFlight, isLeaving)
    }
    if (plan.begin.length > 0 && row.ending === null && live.rows.size >= settings.maxSteps) {
      if (inFlight.cancel('')) return 'wait'
      const message = `It has more than ${settings.maxSteps} steps`
      await endings.begin(live, { status: 'failed', error: { code: 'too_many_steps', message } })
      return 'again'
    }
    if (!isLeaving) launch(live, plan, inFlight)
    if (inFlight.size > 0) return 'wait'
    // The last of them may have met something while this turn read what is new: then nothing is over, nor waits.
    inFlight.check()
    if (plan.over !== 'open' && !isLeaving) return finish(live)
    await journalWriter.flush(live)
    return isLeaving ? 'again' : park(live)
  }

  function launch(live: Live, plan: Plan, inFlight: InFlight): void {
    const room = () => inFlight.size < settings.concurrency
    for (const { scope, step, row } of plan.complete)
      if (!inFlight.has(row.path) && room())
        inFlight.launch(row.path, (signal) => attempts.close(live, { scope, step }, row, signal))
    for (const row of live.rows.values()) {
      if (!isOpen(row) || isContainer(row.kind) || inFlight.has(row.path) || !room()) continue
      const go =
        row.arrival !== null
          ? attempts.resume
          : row.status === 'running'
            ? attempts.recover
            : live.unchecked.delete(row.path)
              ? attempts.check
              : undefined
      const placed = go && locate(live.root, live.rows, row.path)
      if (go && placed) inFlight.launch(row.path, (signal) => go(live, placed, row, signal))
    }
    const hasAgents = plan.begin.some(({ step }) => step.type === 'agent')
    let agentRoom = hasAgents ? agentRoomOf(live, plan, inFlight, settings.maxTokens) : 0
    for (const placed of plan.begin) {
      const path = pathOf(placed.scope, placed.step)
      if (inFlight.has(path) || !room()) continue
      // What there is no room for is planned again when one of those under way has ended.
      if (placed.step.type === 'agent' && --agentRoom < 0) continue
      inFlight.launch(path, (signal) => attempts.begin(live, placed, undefined, signal))
    }
  }

  /** What others have written; false where this process is no longer the one that executes it. */
  async function refresh(live: Live): Promise<boolean> {
    live.woken = false
    const { row } = live
    const now = await executionStore.find(row.id)
    if (!now || now.endedAt !== null || now.instance !== row.instance || now.attempt !== row.attempt)
      return false
    live.wakes = now.wakes
    Object.assign(row, { cancelledFor: now.cancelledFor })
    for (let writes = -1; writes !== live.writes; ) {
      writes = live.writes
      live.looks++
      const moved = await stepStore.listMoved(row.project, row.id)
      if (writes === live.writes) for (const it of moved) merge(live, it)
    }
    return true
  }

  /** Nothing of it lies in memory from now on, unless something came. */
  async function park(live: Live): Promise<'again' | 'done'> {
    const { row, rows, writer, wakes } = live
    const awaits = [...rows.values()].some((it) => it.status === 'waiting' && it.awaits)
    try {
      await writer.commit([{ type: 'status', fields: { status: 'waiting' } }], async (chunk) => {
        const recorded = awaits ? [factOf('workflows.suspended', row)] : []
        if (!(await executionStore.settleWaiting({ ...row, wakes }, chunk, recorded))) throw WOKEN
        return true
      })
      return 'done'
    } catch (error) {
      if (error !== WOKEN) throw error
      return (await refresh(live)) ? 'again' : 'done'
    }
  }

  async function finish(live: Live): Promise<'again' | 'done'> {
    const end = await endings.endOf(live)
    if (!('output' in end)) {
      await endings.begin(live, end)
      return 'again'
    }
    await endings.end(live, end)
    return 'done'
  }

  return drive
}
