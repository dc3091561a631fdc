import type { Kernel, Said } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Question, RunInfo, Tool, ToolResult, ToolSource } from '../contract.ts'
import type { RunSettings } from '../settings.ts'
import type { RunStore } from '../stores/runs.ts'
import type { CallRow, StepRow, StepStore } from '../stores/steps.ts'
import { aborted } from './aborted.ts'
import type { Approvals } from './approvals.ts'
import { capped } from './clean.ts'
import { commit, persist } from './commits.ts'
import { infoOf } from './info.ts'
import type { Live, LiveRuns } from './live-runs.ts'
import type { Questions } from './questions.ts'
import type { Reply } from './reply.ts'
import { parse } from './reply.ts'

export type ToolCalls = ReturnType<typeof createToolCalls>

interface Deps extends Pick<Kernel, 'transaction' | 'points' | 'log'> {
  settings: RunSettings
  jobs: Jobs
  runStore: RunStore
  stepStore: StepStore
  liveRuns: LiveRuns
  approvals: Approvals
  questions: Questions
}

/** What a reply asks for besides text: tools of packs are called here, the caller's are waited for. */
export function createToolCalls(deps: Deps) {
  const { transaction, points, log, settings, jobs, runStore, stepStore, liveRuns, approvals, questions } =
    deps

  async function offered({ run, by }: Live): Promise<ReadonlyMap<string, Tool>> {
    const tools = new Map<string, Tool>()
    for (const { value } of points.all('runs.tools'))
      for (const tool of await offerOf(value, infoOf(run, by)))
        if (!tools.has(tool.name)) tools.set(tool.name, tool)
    return tools
  }

  /** A source that fails offers nothing: the run goes on without. */
  async function offerOf(source: ToolSource, run: RunInfo): Promise<readonly Tool[]> {
    try {
      return await source.offer(run)
    } catch (error) {
      log.warn({ err: error, run: run.id }, 'tools could not be offered')
      return []
    }
  }

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
    live.usage.push(reply.usage)
    live.announced = false
    live.content = ''
  }

  /** Brings what is still open of the last reply to its end: `waiting` when that is for the caller to do. */
  async function finish(live: Live, step: StepRow, signal: AbortSignal): Promise<'done' | 'waiting'> {
    const own = step.calls.filter((call) => call.callerDeadline === null && call.endedAt === null)
    if (own.length > 0) {
      const tools = await offered(live)
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
    const outcome = await outcomeOf(live, call, tools.get(call.toolName), isSafe, signal)
    if (signal.aborted) return
    Object.assign(call, { ...outcome, endedAt: new Date().toISOString() })
    await tell(live, [call])
  }

  async function outcomeOf(
    live: Live,
    call: CallRow,
    tool: Tool | undefined,
    isSafe: boolean,
    signal: AbortSignal
  ): Promise<Required<ToolResult>> {
    const { id, toolName, args } = call
    if (args === null) return failed('The arguments are not a JSON object')
    if (!tool) return failed(`There is no tool ${toolName}`)
    if (!isSafe)
      return failed('The outcome of this call is unknown: the platform was interrupted while it was made')
    const leave = aborted(signal)
    const progress = (output: string) => {
      try {
        if (!leave.over) live.writer.append('toolProgress', { callId: id, output })
      } catch {
        // The stream is written elsewhere now: no tool has to mind that.
      }
    }
    try {
      const approved = call.approved === true && call.approvalFor === tool.approval
      const ask = (question: Question) => questions.ask(live, id, question, leave.signal)
      const made = tool.call({ id, args, signal, approved, progress, ask, run: infoOf(live.run, live.by) })
      const { output, isError = false } = await Promise.race([made, leave.promise])
      return { output: capped(output), isError }
    } catch (error) {
      const meant = error instanceof Error && 'kind' in error
      if (!meant && !signal.aborted)
        log.warn({ err: error, run: live.run.id, tool: toolName }, 'a tool failed')
      return failed(meant ? error.message : 'The tool failed')
    } finally {
      leave.end()
    }
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

  return { offered, note, finish }
}

const isUnbegun = ({ begun, idempotent }: CallRow): boolean => !begun && !idempotent

const failed = (output: string): Required<ToolResult> => ({ output, isError: true })

const beginningOf = ({ id: callId, toolName, args, callerDeadline }: CallRow): Said =>
  callerDeadline === null
    ? { type: 'toolStart', fields: { callId, toolName, args } }
    : { type: 'cli_tool_request', fields: { callId, toolName, args, deadline: callerDeadline } }

const endOf = ({ id: callId, toolName, output, isError }: CallRow): Said => ({
  type: 'toolEnd',
  fields: { callId, toolName, output: output ?? null, isError }
})
