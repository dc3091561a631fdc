import type { CallToolResult, McpRequestContext, ServerContext, Tool } from '@modelcontextprotocol/server'
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Kernel, Principal } from 'agent-platform'
import { typeOfId } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { AgentTools } from './agent-tools.ts'
import type { AssignedTools } from './assigned-tools.ts'
import { unknownTool } from './assigned-tools.ts'
import type { CallContext } from './call-context.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import { refusalOf } from './results.ts'
import type { Sources } from './sources.ts'

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
  runs: Runs
  agentTools: AgentTools
  assignedTools: AssignedTools
  sources: Sources
  callsUnderWay: CallsUnderWay
}

/** As the platform's own client names the run that calls. */
const RUN = 'agent-platform/runId'

const instructions = `Tools and agents of an Agent Platform. A tool whose name begins with agent_ is an agent: tell it \
something by message, go on with the conversation by sessionId, and fetch a result that was lost by runId.`

/** Speaks the Model Context Protocol, in both its eras, and keeps nothing between two requests. */
export function createMcpService(deps: Deps) {
  const { platform, log, runs, agentTools, assignedTools, sources, callsUnderWay } = deps
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
    const hasPages = !sources.isEmpty()
    const capabilities = { tools: {}, ...(hasPages && { resources: {} }) }
    const server = new Server(info, { capabilities, instructions })
    server.setRequestHandler('tools/list', ({ params }) => answered(() => list(caller, params?.cursor)))
    server.setRequestHandler('tools/call', ({ params }, request) =>
      answered(() => call(caller, params.name, params.arguments, request))
    )
    if (!hasPages) return server
    const { by } = caller
    server.setRequestHandler('resources/list', ({ params }) =>
      answered(() => sources.listPages(by, params?.cursor))
    )
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params }) =>
      answered(() => sources.readPage(by, params.uri))
    )
    return server
  }

  async function list({ by, agentId }: Caller, cursor: string | undefined) {
    const isOfSources = sources.isCursor(cursor)
    const first: { tools: Tool[]; nextCursor?: string } = { tools: [] }
    if (agentId === undefined && (isOfSources || cursor === undefined))
      Object.assign(first, await sources.list(by, cursor))
    else if (agentId !== undefined && cursor === undefined)
      first.tools = await assignedTools.list(by, agentId)
    if (first.nextCursor !== undefined) return first
    const { tools, nextCursor } = await agentTools.list(by, isOfSources ? undefined : cursor)
    return { tools: [...first.tools, ...tools], ...(nextCursor !== null && { nextCursor }) }
  }

  async function call(
    caller: Caller,
    name: string,
    args: unknown,
    request: ServerContext
  ): Promise<CallToolResult> {
    const { by, agentId } = caller
    try {
      using _ = callsUnderWay.enter(by)
      const context = contextOf(caller, request, await runOf(by, request))
      const agent = agentTools.idOf(name)
      if (agent !== undefined) return await agentTools.call(by, agent, args, context)
      if (agentId === undefined) {
        const made = await sources.call(by, name, args, context)
        if (made) return made
        throw unknownTool(name)
      }
      return await assignedTools.call(by, agentId, name, args, context)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) return refusal
      throw error
    }
  }

  /** A run that the caller does not reach, such as one of another platform, is none here. */
  async function runOf(by: Principal, { mcpReq }: ServerContext): Promise<CallContext['run']> {
    const id = mcpReq._meta?.[RUN]
    if (typeof id !== 'string' || typeOfId(id) !== 'run') return undefined
    return runs.find(by, id).catch((error) => {
      if (error.kind === 'notFound' || error.kind === 'forbidden') return undefined
      throw error
    })
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

function contextOf(
  { cancelled, key }: Caller,
  { mcpReq }: ServerContext,
  run: CallContext['run']
): CallContext {
  const progressToken = mcpReq._meta?.progressToken
  return {
    signal: AbortSignal.any([mcpReq.signal, cancelled]),
    cancelled,
    run,
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
