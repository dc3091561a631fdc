import { StepFailure } from '../executions/journal.ts'
import type { Kind } from './kind.ts'
import { after } from './wait.ts'

const invalid = (message: string) => new StepFailure('invalid_config', message, { final: true })

/** So many decide, until a deadline; one rejection rejects. */
export const createApprovalKind = (seconds: number, longestSeconds: number): Kind => ({
  async begin({ config, row, step }) {
    const { message, principals = [], count = 1, deadlineSeconds = seconds, form = null } = config
    if (!Array.isArray(principals) || !principals.every((it) => typeof it === 'string'))
      throw invalid('principals must be a list of ids')
    if (!Number.isInteger(count) || (count as number) < 1)
      throw invalid('count must be a whole number from 1')
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
