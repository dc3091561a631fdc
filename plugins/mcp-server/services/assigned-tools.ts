import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Principal } from 'agent-platform'
import type { Offered, Tools } from '../../tools/contract.ts'
import type { CallContext } from './call-context.ts'
import { resultOf } from './results.ts'
import type { Sources } from './sources.ts'

export type AssignedTools = ReturnType<typeof createAssignedTools>

/** The tools of an agent, called in its name on behalf of the caller. */
export function createAssignedTools({ tools, sources }: { tools: Tools; sources: Sources }) {
  async function list(by: Principal, agentId: string): Promise<Tool[]> {
    const offered = await tools.offer(by, agentId)
    const ids = offered.map(({ id }) => id)
    const metas = await sources.metaOf(by, ids)
    return offered.map((tool) => ({ ...toolOf(tool), ...metas.get(tool.id) }))
  }

  async function call(
    by: Principal,
    agentId: string,
    toolName: string,
    args: unknown,
    { run, signal, progress }: CallContext
  ): Promise<CallToolResult> {
    let place = 0
    try {
      const { output, isError } = await tools.invoke({
        by,
        agentId,
        toolName,
        args: args ?? {},
        ...(run && { run: { id: run.id, sessionId: run.sessionId }, depth: run.depth }),
        signal,
        progress: (output) => void progress(++place, output)
      })
      return resultOf(output, isError)
    } catch (error) {
      if ((error as { kind?: unknown }).kind === 'notFound') throw unknownTool(toolName)
      throw error
    }
  }

  return { list, call }
}

export const unknownTool = (name: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 100)}`)

function toolOf({ name, description, parameters, idempotent, policy }: Offered): Tool {
  return {
    name,
    description:
      policy === 'ask'
        ? `${description}\n\nHas to be approved, so that it cannot be called from here.`
        : description,
    // A schema of an object need not say so itself; here it must.
    inputSchema: { ...parameters, type: 'object' },
    annotations: { idempotentHint: idempotent }
  }
}
