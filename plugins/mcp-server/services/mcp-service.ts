import type { CallToolResult, McpRequestContext, ServerContext } from '@modelcontextprotocol/server'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Kernel, Principal } from 'agent-platform'
import type { AgentTools } from './agent-tools.ts'
import type { AssignedTools } from './assigned-tools.ts'
import { unknownTool } from './assigned-tools.ts'
import type { CallContext } from './call-context.ts'
import { refusalOf } from './results.ts'

export type McpService = ReturnType<typeof createMcpService>

/** Who asks, and for what. */
export interface Caller {
  readonly by: Principal
  /** Whose tools are served, beside the agents. */
  readonly agentId: string | undefined
  /** Aborted when the caller cancels the request. */
  readonly cancelled: AbortSignal
  /** Of the request, if it has one. */
  readonly key: string | undefined
}

interface Deps extends Pick<Kernel, 'platform' | 'log'> {
  agentTools: AgentTools
  assignedTools: AssignedTools
}

const instructions = `Tools and agents of an Agent Platform. A tool whose name begins with agent_ is an agent: tell it \
something by message, go on with the conversation by sessionId, and fetch a result that was lost by runId.`

/** Speaks the Model Context Protocol, in both its eras, and keeps nothing between two requests. */
export function createMcpService({ platform, log, agentTools, assignedTools }: Deps) {
  const handler = createMcpHandler(serverFor, {
    responseMode: 'sse',
    onerror: (error) => log.debug({ err: error }, 'a message of a tool client was refused')
  })

  /** One message; a reply may go on for as long as the request is not aborted. */
  const answer = (request: Request, body: unknown, caller: Caller): Promise<Response> =>
    handler.fetch(request, {
      parsedBody: body,
      // The only thing that reaches the server of a request.
      authInfo: { token: '', clientId: caller.by.id, scopes: [], extra: { caller } }
    })

  function serverFor({ authInfo }: McpRequestContext): Server {
    const caller = authInfo?.extra?.caller as Caller
    const info = { name: 'agent-platform', title: 'Agent Platform', version: platform.version }
    const server = new Server(info, { capabilities: { tools: {} }, instructions })
    server.setRequestHandler('tools/list', ({ params }) => answered(() => list(caller, params?.cursor)))
    server.setRequestHandler('tools/call', ({ params }, request) =>
      answered(() => call(caller, params.name, params.arguments, request))
    )
    return server
  }

  async function list({ by, agentId }: Caller, cursor: string | undefined) {
    const assigned =
      agentId === undefined || cursor !== undefined ? [] : await assignedTools.list(by, agentId)
    const { tools, nextCursor } = await agentTools.list(by, cursor)
    return { tools: [...assigned, ...tools], ...(nextCursor !== null && { nextCursor }) }
  }

  async function call(
    caller: Caller,
    name: string,
    args: unknown,
    request: ServerContext
  ): Promise<CallToolResult> {
    const { by, agentId } = caller
    const context = contextOf(caller, request)
    try {
      const agent = agentTools.idOf(name)
      if (agent !== undefined) return await agentTools.call(by, agent, args, context)
      if (agentId === undefined) throw unknownTool(name)
      return await assignedTools.call(by, agentId, name, args, context)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) return refusal
      throw error
    }
  }

  /** What was not meant for callers is logged, and not answered. */
  async function answered<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const refusal = refusalOf(error)?.content[0]
      if (refusal?.type === 'text') throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusal.text)
      log.error({ err: error }, 'a request of a tool client failed')
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side')
    }
  }

  return { answer }
}

function contextOf({ cancelled, key }: Caller, { mcpReq }: ServerContext): CallContext {
  const progressToken = mcpReq._meta?.progressToken
  return {
    signal: AbortSignal.any([mcpReq.signal, cancelled]),
    cancelled,
    key,
    isFollowed: progressToken !== undefined,
    async progress(progress, message, about) {
      if (progressToken === undefined || mcpReq.signal.aborted) return
      const params = { progressToken, progress, message, ...(about && { _meta: { ...about } }) }
      // A client that has left hears nothing.
      await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    }
  }
}
