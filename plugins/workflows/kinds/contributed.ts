import type { StepKind } from '../contract.ts'
import { StepFailure } from '../executions/journal.ts'
import type { Kind } from './kind.ts'

/** A kind that another pack brings. */
export const contributed = (kind: StepKind): Kind => ({
  isIdempotent: async ({ live: { by }, config }) =>
    typeof kind.idempotent === 'boolean' ? kind.idempotent : kind.idempotent({ by, config }),
  config: kind.config,
  async begin({ live: { row: execution, by }, row, config, key, signal, used }) {
    const { project, owner, id: executionId } = execution
    const depth = execution.depth + 1
    // Nothing says of it what it makes, or where it connects to.
    if (by.attenuation)
      throw new StepFailure('token_refused', 'A step of that type is not for a token', { final: true })
    const { stepId, attempt } = row
    const order = { project, owner, by, executionId, stepId, attempt, key, depth, config, signal, used }
    try {
      const { output } = await kind.run(order)
      return { output }
    } catch (error) {
      // Whatever it was: what the kind calls may be away as well as the database.
      const { code, kind: type, message } = Object(error) as Record<string, unknown>
      const final = code === 'outcome_unknown'
      throw new StepFailure(String(code ?? type ?? 'step_failed'), String(message), { final, cause: error })
    }
  }
})
