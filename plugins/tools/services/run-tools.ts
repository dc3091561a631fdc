import type { RunInfo, Tool, ToolSource } from '../../runs/contract.ts'
import type { Invocations } from './invocations.ts'

/** An agent's tools, as its runs are offered them. */
export function createRunTools({ invocations }: { invocations: Invocations }): ToolSource {
  async function offer({ by, agentId, id: runId, sessionId, depth }: RunInfo): Promise<readonly Tool[]> {
    const offered = await invocations.offer(by, agentId)
    return offered.map(({ id, name, description, parameters, idempotent, policy, stamp, tokens }) => ({
      id,
      name,
      description,
      parameters,
      idempotent,
      ...(tokens && { tokens }),
      ...(policy === 'ask' && { approval: stamp }),
      call: ({ id: callId, args, signal, approved, untrusted, progress, ask, resumed }) =>
        invocations.invoke({
          callId,
          by,
          agentId,
          toolName: id,
          args,
          run: { id: runId, sessionId },
          depth,
          untrusted,
          isForModel: true,
          ...(approved && { approved: stamp }),
          signal,
          progress,
          ask,
          ...(resumed && { resumed })
        })
    }))
  }

  return { offer }
}
