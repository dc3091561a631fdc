import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import { isDatabaseAway, traced } from 'agent-platform'
import type { Question, Tool, ToolResult } from '../contract.ts'
import { infoOf, traceparentOf } from '../run-info.ts'
import type { CallRow } from '../stores/steps.ts'
import type { TrustStore } from '../stores/trust.ts'
import type { Elicitations } from '../waits/elicitations.ts'
import { aborted } from './aborted.ts'
import type { Live } from './live-runs.ts'
import { capped } from './sanitize.ts'
import { noSuchTool } from './tool-names.ts'

export type ToolExecutor = ReturnType<typeof createToolExecutor>

interface Deps extends Pick<Kernel, 'log'> {
  elicitations: Elicitations
  trustStore: TrustStore
}

/** For the model: to make the call again might do the same thing twice. */
export const UNKNOWN = 'The outcome of this call is unknown: it was interrupted while it was made'

/** For the model: its call was not made. */
const CUT =
  'The call was not made: the reply reached the limit of output tokens before the call was complete. Repeat it with shorter arguments.'

/** For so long a call that may be made again waits for the database. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 500

/** Calls of tools, made: whatever goes wrong is an outcome too. */
export function createToolExecutor({ log, elicitations, trustStore }: Deps) {
  async function execute(
    live: Live,
    call: CallRow,
    tools: ReadonlyMap<string, Tool>,
    isSafe: boolean,
    signal: AbortSignal
  ): Promise<Required<ToolResult>> {
    const { id, toolName, args } = call
    const { run, by } = live
    if (args === null)
      return failed(
        live.steps.at(-1)?.finishReason === 'length' ? CUT : 'The arguments are not a JSON object'
      )
    const tool = tools.get(toolName)
    if (!tool) {
      const callers = run.request.cliTools?.map(({ name }) => name) ?? []
      return failed(noSuchTool(toolName, [...callers, ...tools.keys()]))
    }
    // Only of a run that was taken over can there be a call that waits for an answer.
    const resumed = run.attempt > 1 ? await elicitations.resumed(live, id, signal) : undefined
    if (!isSafe && !resumed) return failed(UNKNOWN)
    const leave = aborted(signal)
    const progress = (output: string) => {
      try {
        if (!leave.over) live.writer.append('toolProgress', { callId: id, output })
      } catch {
        // The stream is written elsewhere now: no tool has to mind that.
      }
    }
    const ask = (question: Question, resume?: unknown) =>
      elicitations.ask(live, id, question, leave.signal, resume)
    const approved = call.approved === true && call.approvalFor === tool.approval
    const untrusted = await isUntrusted(live)
    const order = { id, args, signal, approved, untrusted, progress, ask, run: infoOf(run, by) }
    const make = async () => {
      signal.throwIfAborted()
      const made = traced(traceparentOf(run, id), () => tool.call({ ...order, ...(resumed && { resumed }) }))
      const { output, isError = false } = await Promise.race([made, leave.promise])
      return { output: capped(output), isError }
    }
    try {
      return call.idempotent ? await patiently(make, leave.signal) : await make()
    } catch (error) {
      const meant = error instanceof Error && 'kind' in error
      if (!meant && !signal.aborted) log.warn({ err: error, run: run.id, tool: toolName }, 'a tool failed')
      // What was not meant for the model broke off on the way: perhaps after something was done.
      const unseen = call.idempotent ? 'The tool failed' : UNKNOWN
      return failed(meant && !isDatabaseAway(error) ? error.message : unseen)
    } finally {
      leave.end()
    }
  }

  /** What a program had asked in its session stands there as if a person had. */
  async function isUntrusted(live: Live): Promise<boolean> {
    const { run } = live
    if (!live.untrusted && run.position > 0)
      live.untrusted = (await trustStore.findUntrusted(run)) !== undefined
    return live.untrusted
  }

  return { execute }
}

/** Again, while the database is away or has no connection to spare. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const since = performance.now()
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() - since > PATIENCE_MS) throw error
      await delay(PAUSE_MS * (1 + Math.random()), undefined, { signal })
    }
}

const failed = (output: string): Required<ToolResult> => ({ output, isError: true })
