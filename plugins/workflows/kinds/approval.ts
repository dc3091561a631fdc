import { StepFailure } from '../executions/journal.ts'
import type { Kind } from './kind.ts'
import { after } from './wait.ts'

/** So many decide, until a deadline; one rejection rejects. */
export const createApprovalKind = (seconds: number, longestSeconds: number): Kind => ({
  async begin({ config, row, step }) {
    const { message, deadlineSeconds = seconds, form = null } = config
    const deadline = after(deadlineSeconds, 'deadlineSeconds', longestSeconds)
    const fields = { stepId: step.id, path: row.path, message, form, deadline: deadline.toISOString() }
    return { waits: { deadline, awaits: true, events: [{ type: 'approval_request', fields }] } }
  },

  async resume({ row }) {
    const decisions = row.decisions ?? []
    const rejection = decisions.find(({ decision }) => decision === 'reject')
    if (rejection) throw new StepFailure('rejected', rejection.comment ?? 'It was rejected', { final: true })
    if (row.arrival?.by !== 'decision')
      throw new StepFailure('approval_expired', 'It was not approved in time', { final: true })
    return { output: { approved: true, data: decisions.at(-1)?.data ?? null, decisions } }
  }
})
