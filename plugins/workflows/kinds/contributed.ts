import type { SchemaCheck } from 'agent-platform'
import { compileSchema } from 'agent-platform'
import type { StepKind } from '../contract.ts'
import { StepFailure } from '../executions/journal.ts'
import type { Kind } from './kind.ts'

const checks = new WeakMap<object, SchemaCheck>()

/** A kind that another pack brings. */
export const contributed = (kind: StepKind): Kind => ({
  isIdempotent: async () => kind.idempotent,
  async begin({ live: { row: execution, by }, row, config, key, signal }) {
    const check = checks.get(kind.config) ?? compileSchema(kind.config)
    checks.set(kind.config, check)
    const fault = check(config)
    if (fault) throw new StepFailure('invalid_config', `config${fault.at} ${fault.text}`, { final: true })
    const { project, owner, id: executionId } = execution
    const depth = execution.depth + 1
    const { stepId, attempt } = row
    const order = { project, owner, by, executionId, stepId, attempt, key, depth, config, signal }
    try {
      const { output } = await kind.run(order)
      return { output }
    } catch (error) {
      // Whatever it was: what the kind calls may be away as well as the database.
      const { code, kind: type, message } = Object(error) as Record<string, unknown>
      throw new StepFailure(String(code ?? type ?? 'step_failed'), String(message))
    }
  }
})
