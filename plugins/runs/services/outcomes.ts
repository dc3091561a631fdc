import type { Kernel } from 'agent-platform'
import type { Question, Tool, ToolResult } from '../contract.ts'
import type { CallRow } from '../stores/steps.ts'
import { aborted } from './aborted.ts'
import { capped } from './clean.ts'
import { infoOf } from './info.ts'
import type { Live } from './live-runs.ts'
import type { Questions } from './questions.ts'

export type Outcomes = ReturnType<typeof createOutcomes>

interface Deps extends Pick<Kernel, 'log'> {
  questions: Questions
}

/** Calls of tools, made: whatever goes wrong is an outcome too. */
export function createOutcomes({ log, questions }: Deps) {
  async function of(
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

  return { of }
}

const failed = (output: string): Required<ToolResult> => ({ output, isError: true })
