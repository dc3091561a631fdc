import type { Kernel, Said } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Tool } from '../contract.ts'
import type { RunSettings } from '../settings.ts'
import type { RunStore } from '../stores/runs.ts'
import type { CallRow, StepRow, StepStore } from '../stores/steps.ts'
import type { Approvals } from './approvals.ts'
import { commit, persist } from './commits.ts'
import type { Live, LiveRuns } from './live-runs.ts'
import type { Offers } from './offers.ts'
import type { Outcomes } from './outcomes.ts'
import type { Reply } from './reply.ts'
import { parse } from './reply.ts'

export type ToolCalls = ReturnType<typeof createToolCalls>

interface Deps extends Pick<Kernel, 'transaction'> {
  settings: RunSettings
  jobs: Jobs
  runStore: RunStore
  stepStore: StepStore
  liveRuns: LiveRuns
  approvals: Approvals
  offers: Offers
  outcomes: Outcomes
}

/** What a reply asks for besides text: tools of packs are called here, the caller's are waited for. */
export function createToolCalls(deps: Deps) {
  const { transaction, settings, jobs, runStore, stepStore, liveRuns, approvals, offers, outcomes } = deps

  /** Makes a reply part of the record, with the calls that it asks for. */
  async function note(live: Live, reply: Reply, tools: ReadonlyMap<string, Tool>): Promise<void> {
    const { run, writer } = live
    const callers = new Set(run.request.cliTools?.map(({ name }) => name))
    const deadline = new Date(Date.now() + settings.callerSeconds * 1_000)
    const step: StepRow = {
      step: live.steps.length + 1,
      reply: reply.parts,
      usage: reply.usage,
      calls: reply.calls.map(({ id, name, input }, place) => ({
        id: newId('call'),
        runId: run.id,
        step: live.steps.length + 1,
        place,
        modelCallId: id,
        toolName: name,
        args: parse(input) ?? null,
        idempotent: tools.get(name)?.idempotent ?? false,
        callerDeadline: callers.has(name) && parse(input) ? deadline.toISOString() : null,
        approvalFor: null,
        approvalDeadline: null,
        approved: null,
        begun: false,
        output: undefined,
        isError: null,
        told: false,
        endedAt: null
      }))
    }
    await persist(
      () => writer.chunk({ events: step.calls.map(beginningOf) }),
      (chunk) =>
        transaction(async (trx) => {
          if (!(await stepStore.insert(trx, run, step, chunk))) return false
          const { project, id: subject, owner } = run
          for (const { id, callerDeadline } of step.calls)
            if (callerDeadline !== null)
              await jobs.waits.open(trx, { id, project, owner, waiter: 'runs.call', subject, deadline })
          return true
        })
    )
    live.steps.push(step)
    offers.remember(step, tools)
    live.usage.push(reply.usage)
    live.announced = false
    live.content = ''
  }

  /** Brings what is still open of the last reply to its end: `waiting` when that is for the caller to do. */
  async function finish(live: Live, step: StepRow, signal: AbortSignal): Promise<'done' | 'waiting'> {
    const own = step.calls.filter((call) => call.callerDeadline === null && call.endedAt === null)
    if (own.length > 0) {
      const tools = await offers.of(live, step)
      await approvals.ask(live, own, tools)
      const ready = own.filter(({ approvalDeadline, approved }) => approvalDeadline === null || approved)
      const first = await begin(live, ready.filter(isUnbegun))
      await Promise.all(ready.map((call) => make(live, call, tools, first, signal)))
      signal.throwIfAborted()
    }
    if (step.calls.every(({ told }) => told)) return 'done'
    await hear(live, step)
    if (step.calls.every(({ told }) => told)) return 'done'
    return step.calls.some((call) => call.approved && call.endedAt === null)
      ? finish(live, step, signal)
      : park(live)
  }

  /** What was answered and decided meanwhile, wherever. */
  async function hear(live: Live, step: StepRow): Promise<void> {
    const { run } = live
    const answered = new Map(
      (await stepStore.list(run.project, run.id)).flatMap((it) => it.calls.map((c) => [c.id, c]))
    )
    const ended: CallRow[] = []
    for (const call of step.calls) {
      const now = answered.get(call.id)
      if (call.told || !now) continue
      call.approved = now.approved
      if (!now.endedAt) continue
      Object.assign(call, { output: now.output, isError: now.isError, endedAt: now.endedAt })
      ended.push(call)
    }
    if (ended.length > 0) await tell(live, ended)
  }

  /** Before a call is made that must not be made twice, the record says so. */
  async function begin({ run }: Live, calls: readonly CallRow[]): Promise<ReadonlySet<string>> {
    const first = await stepStore.takeUnbegun(
      run.project,
      calls.map(({ id }) => id)
    )
    for (const call of calls) call.begun = true
    return first
  }

  async function make(
    live: Live,
    call: CallRow,
    tools: ReadonlyMap<string, Tool>,
    first: ReadonlySet<string>,
    signal: AbortSignal
  ) {
    const isSafe = call.idempotent || first.has(call.id)
    const outcome = await outcomes.of(live, call, tools.get(call.toolName), isSafe, signal)
    if (signal.aborted) return
    Object.assign(call, { ...outcome, endedAt: new Date().toISOString() })
    await tell(live, [call])
  }

  /** The ends of calls become part of the record, with the events that tell them. */
  async function tell({ run, writer }: Live, calls: readonly CallRow[]): Promise<void> {
    await persist(
      () => writer.chunk({ events: calls.map(endOf) }),
      (chunk) => stepStore.settle(run, calls, chunk)
    )
    for (const call of calls) call.told = true
  }

  /** Lets go of a run that waits for somebody, unless he was faster. */
  async function park(live: Live): Promise<'done' | 'waiting'> {
    const { run, writer } = live
    const chunk = await writer.chunk({ events: [{ type: 'status', fields: { status: 'waiting' } }] })
    let isDue = false
    const error = await commit(chunk, () =>
      transaction(async (trx) => {
        await runStore.takeLocked(trx, run)
        isDue = !(await stepStore.findWaiting(run.project, run.id, trx))
        if (isDue) throw new Error('There is something to go on with')
        if (!(await stepStore.takeChunk(trx, chunk))) return false
        await runStore.update(trx, run, { status: 'waiting', instance: null, seq: chunk.row.last })
        return true
      })
    )
    if (isDue) {
      await hear(live, live.steps.at(-1) as StepRow)
      return 'done'
    }
    if (error !== undefined) throw error
    await writer.release()
    liveRuns.drop(live)
    return 'waiting'
  }

  return { note, finish }
}

const isUnbegun = ({ begun, idempotent }: CallRow): boolean => !begun && !idempotent

const beginningOf = ({ id: callId, toolName, args, callerDeadline }: CallRow): Said =>
  callerDeadline === null
    ? { type: 'toolStart', fields: { callId, toolName, args } }
    : { type: 'cli_tool_request', fields: { callId, toolName, args, deadline: callerDeadline } }

const endOf = ({ id: callId, toolName, output, isError }: CallRow): Said => ({
  type: 'toolEnd',
  fields: { callId, toolName, output: output ?? null, isError }
})
