import type { Chunk, Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Tool } from '../contract.ts'
import type { RunSettings } from '../settings.ts'
import type { RunStore } from '../stores/runs.ts'
import type { CallRow, StepRow, StepStore } from '../stores/steps.ts'
import type { Approvals } from '../waits/approvals.ts'
import type { Suspensions } from '../waits/suspensions.ts'
import type { AvailableTools } from './available-tools.ts'
import { HAND_OVER } from './failures.ts'
import type { Live } from './live-runs.ts'
import type { Answer } from './reply-collector.ts'
import { argumentsOf } from './tool-arguments.ts'
import { beginningOf, commentaryOf, endOf } from './tool-events.ts'
import type { ToolExecutor } from './tool-executor.ts'
import { UNKNOWN } from './tool-executor.ts'
import { meantTool, renamed } from './tool-names.ts'

export type ToolStep = ReturnType<typeof createToolStep>

interface Deps extends Pick<Kernel, 'transaction'> {
  settings: RunSettings
  jobs: Jobs
  runStore: RunStore
  stepStore: StepStore
  approvals: Approvals
  availableTools: AvailableTools
  toolExecutor: ToolExecutor
  suspensions: Suspensions
}

/** Calls of one reply that are made at once: each takes its share of what all runs of the process have. */
const AT_ONCE = 16
/** What a run was about to wait for is there already. */
const DUE = new Error('There is something to go on with')

/** What a reply asks for besides text: tools of packs are called here, the caller's are waited for. */
export function createToolStep(deps: Deps) {
  const { transaction, settings, jobs, runStore, stepStore, approvals, availableTools, toolExecutor } = deps
  const { suspensions } = deps

  /** Makes a reply part of the record, with the calls that it asks for. */
  async function record(live: Live, reply: Answer, tools: ReadonlyMap<string, Tool>): Promise<void> {
    const { run, writer } = live
    const callers = new Set(run.request.cliTools?.map(({ name }) => name))
    // The last call of a reply that was cut may lack arguments.
    const cut = reply.finishReason === 'length' ? reply.calls.length - 1 : undefined
    const argsOf = (input: string, position: number) => (position === cut ? undefined : argumentsOf(input))
    const known = [...callers, ...tools.keys()]
    const names = reply.calls.map(({ name }) => meantTool(name, known) ?? name)
    const deadline = new Date(Date.now() + settings.callerSeconds * 1_000)
    const step: StepRow = {
      step: live.steps.length + 1,
      reply: renamed(reply.parts, names),
      origin: reply.origin,
      finishReason: reply.finishReason,
      usage: reply.usage,
      calls: reply.calls.map(({ id, input }, position) => ({
        id: newId('call'),
        runId: run.id,
        step: live.steps.length + 1,
        position,
        modelCallId: id,
        toolName: names[position] as string,
        args: argsOf(input, position) ?? null,
        idempotent: tools.get(names[position] as string)?.idempotent ?? false,
        callerDeadline:
          callers.has(names[position] as string) && argsOf(input, position) ? deadline.toISOString() : null,
        approvalFor: null,
        approvalDeadline: null,
        approved: null,
        begun: false,
        output: undefined,
        isError: null,
        published: false,
        endedAt: null
      }))
    }
    const waits = step.calls.filter(({ callerDeadline }) => callerDeadline !== null)
    await writer.commit([...commentaryOf(step.step, reply), ...step.calls.flatMap(beginningOf)], (chunk) => {
      if (waits.length === 0) return stepStore.insert(run, step, chunk)
      return transaction(async (trx) => {
        if (!(await stepStore.insert(run, step, chunk, trx))) return false
        const { project, id: subject, owner } = run
        for (const { id } of waits)
          await jobs.waits.open(trx, { id, project, owner, waiter: 'runs.call', subject, deadline })
        return true
      })
    })
    live.steps.push(step)
    availableTools.remember(step, tools)
    live.usage.push(reply.usage)
    live.announced = false
    live.content = ''
  }

  /** Brings what is still open of the last reply to its end: `waits` when that has to come from outside. */
  async function finish(live: Live, step: StepRow, signal: AbortSignal): Promise<'again' | 'waits'> {
    const own = step.calls.filter((call) => call.callerDeadline === null && call.endedAt === null)
    if (own.length > 0) {
      const tools = await availableTools.of(live, step)
      await approvals.ask(live, own, tools)
      const ready = own.filter(({ approvalDeadline, approved }) => approvalDeadline === null || approved)
      await makeAll(live, ready, tools, signal)
      signal.throwIfAborted()
    }
    if (step.calls.every(({ published }) => published)) return 'again'
    await readResults(live, step)
    if (step.calls.every(({ published }) => published)) return 'again'
    return step.calls.some((call) => call.approved && call.endedAt === null)
      ? finish(live, step, signal)
      : wait(live)
  }

  /** What was answered and decided meanwhile, wherever. */
  async function readResults(live: Live, step: StepRow): Promise<void> {
    const { run } = live
    const answered = new Map(
      (await stepStore.list(run.project, run.id)).flatMap((it) => it.calls.map((c) => [c.id, c]))
    )
    const ended: CallRow[] = []
    for (const call of step.calls) {
      const now = answered.get(call.id)
      if (call.published || !now) continue
      call.approved = now.approved
      if (!now.endedAt) continue
      Object.assign(call, { output: now.output, isError: now.isError, endedAt: now.endedAt })
      ended.push(call)
    }
    if (ended.length > 0) await publish(live, ended)
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

  /** So many at once; one that waits for its turn is not begun. */
  async function makeAll(
    live: Live,
    calls: readonly CallRow[],
    tools: ReadonlyMap<string, Tool>,
    signal: AbortSignal
  ): Promise<void> {
    const first = await begin(live, calls.slice(0, AT_ONCE).filter(isUnbegun))
    const left = calls.values()
    const worker = async () => {
      for (const call of left) {
        if (signal.aborted) return
        await make(live, call, tools, isUnbegun(call) ? await begin(live, [call]) : first, signal)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, calls.length) }, worker))
  }

  async function make(
    live: Live,
    call: CallRow,
    tools: ReadonlyMap<string, Tool>,
    first: ReadonlySet<string>,
    signal: AbortSignal
  ) {
    const isSafe = call.idempotent || first.has(call.id)
    const outcome = await toolExecutor.execute(live, call, tools, isSafe, signal)
    const isCutOff = signal.aborted && outcome.isError
    // Handed over, another instance finds that its outcome is unknown; nothing is known of a call that was not made.
    if (isCutOff && (signal.reason === HAND_OVER || !call.begun)) return
    const known = isCutOff ? { output: UNKNOWN, isError: true } : outcome
    Object.assign(call, { ...known, endedAt: new Date().toISOString() })
    await publish(live, [call])
  }

  /** The ends of calls become part of the record, with their events. */
  async function publish({ run, writer }: Live, calls: readonly CallRow[]): Promise<void> {
    await writer.commit(calls.map(endOf), (chunk) => stepStore.settle(run, calls, chunk))
    for (const call of calls) call.published = true
  }

  /** The record says that the run waits, unless what it waits for came meanwhile. */
  async function wait(live: Live): Promise<'again' | 'waits'> {
    const { run, writer } = live
    const waiting = { type: 'status', fields: { status: 'waiting' } }
    const park = (chunk: Chunk) =>
      transaction(async (trx) => {
        const locked = await runStore.takeLocked(trx, run)
        if (!(await stepStore.findWaiting(run.project, run.id, trx))) throw DUE
        await chunk.insert(trx)
        if (locked) await suspensions.suspend(trx, locked)
        return runStore.update(trx, run, { status: 'waiting', instance: null, seq: chunk.row.last })
      })
    try {
      await writer.commit([waiting], park)
    } catch (error) {
      if (error !== DUE) throw error
      await readResults(live, live.steps.at(-1) as StepRow)
      return 'again'
    }
    return 'waits'
  }

  return { record, finish }
}

const isUnbegun = ({ begun, idempotent }: CallRow): boolean => !begun && !idempotent
