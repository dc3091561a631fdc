import type { ExecutionRecord } from '../executions/journal.ts'
import { StepFailure } from '../executions/journal.ts'
import type { Attempt, Kind } from './kind.ts'

interface Deps {
  /** Begins an execution as a part of this one. */
  start(attempt: Attempt): Promise<{ id: string }>
  find(id: string): Promise<ExecutionRecord | undefined>
  cancel(project: string, executionIds: readonly string[]): Promise<void>
  admit(attempt: Attempt): Promise<void>
}

/** Another workflow is executed. */
export const createNestedKind = ({ start, find, cancel, admit }: Deps): Kind => ({
  async begin(attempt) {
    await admit(attempt)
    return { waits: { ref: (await start(attempt)).id } }
  },

  async resume({ row }) {
    const nested = await find(String(row.ref))
    if (nested && nested.endedAt === null) return { waits: { ref: nested.id, state: row.state } }
    if (nested?.status === 'completed') return { output: nested.output }
    const { code, message } = nested?.error ?? {
      code: 'execution_cancelled',
      message: 'The execution was cancelled'
    }
    throw new StepFailure(code, message)
  },

  async hasEnded({ row }) {
    const nested = await find(String(row.ref))
    return !nested || nested.endedAt !== null
  },

  cancel: ({ row: { project } }, rows) =>
    cancel(
      project,
      rows.flatMap(({ ref }) => ref ?? [])
    )
})
