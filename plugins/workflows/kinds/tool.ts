import { newId } from 'agent-platform'
import type { Tools } from '../../tools/contract.ts'
import { StepFailure } from '../executions/journal.ts'
import type { Attempt, Kind } from './kind.ts'

const MESSAGE = 2_000

/** A tool of an agent, called by the way that all calls take. */
export function createToolKind({ tools }: { tools: Tools }): Kind {
  async function isIdempotent({ live: { by }, config }: Attempt): Promise<boolean> {
    const offered = await tools.offer(by, String(config.agentId))
    return offered.some(
      ({ id, name, idempotent }) => idempotent && (id === config.tool || name === config.tool)
    )
  }

  return {
    isIdempotent,
    prepare: () => ({ state: { callId: newId('call') } }),
    async begin({ live: { by, row: execution }, config, row, signal }) {
      const { output, isError, isUnknown, isTooLarge } = await tools.invoke({
        callId: String(row.state?.callId),
        by,
        agentId: String(config.agentId),
        toolName: String(config.tool),
        args: config.args ?? {},
        depth: execution.depth + 1,
        signal
      })
      if (!isError) return { output }
      const message = (typeof output === 'string' ? output : JSON.stringify(output)).slice(0, MESSAGE)
      if (isUnknown) throw new StepFailure('outcome_unknown', message, { final: true })
      if (isTooLarge) throw new StepFailure('output_too_large', message, { final: true })
      throw new StepFailure('tool_failed', message)
    }
  }
}
