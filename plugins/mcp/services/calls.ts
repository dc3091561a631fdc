import type { CallToolResult } from '@modelcontextprotocol/client'
import { upstreamTimeout } from 'agent-platform'
import type { Call, KindTool, Output, ToolKind } from '../../tools/contract.ts'
import type { Connection } from '../connections/connection.ts'
import { faultOf, plain, refusalOf } from '../connections/faults.ts'
import { depthOf } from '../depth.ts'
import type { McpSettings } from '../settings.ts'
import type { ToolRow, ToolStore } from '../stores/tools.ts'
import type { Reaching } from './reaching.ts'
import { unavailableOf } from './syncs.ts'

interface Deps {
  settings: McpSettings
  toolStore: ToolStore
  reaching: Reaching
}

const MOST_DEPTH = 64
const gone = (tool: ToolRow): ToolRow => ({ ...tool, missing: true })
const failed = (output: string): Output => ({ output, isError: true })

/** How tools of tool servers are called. */
export function createMcpKind({ settings, toolStore, reaching }: Deps): ToolKind {
  async function call({ project, id }: KindTool, call: Call): Promise<Output> {
    const found = await toolStore.findCalled(project, id)
    if (!found) return failed('The tool is gone')
    const { server } = found
    if (server.status === 'disconnected') return failed('The server of the tool is disconnected')
    try {
      let isFresh = false
      const made = async (connection: Connection) => {
        // Connecting may have found that it is not what it was.
        const tool = isFresh ? ((await toolStore.find(found.tool.id)) ?? gone(found.tool)) : found.tool
        const unavailable = unavailableOf(tool)
        return unavailable === null ? ask(connection, server.name, tool, call) : failed(unavailable)
      }
      return await reaching.use(server, made, { onSync: () => (isFresh = true) })
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) return failed(`${server.name} refuses: ${refusal.message}`)
      throw call.signal.aborted ? error : faultOf(error, server.name)
    }
  }

  function ask(
    { client, exchanges }: Connection,
    server: string,
    tool: ToolRow,
    call: Call
  ): Promise<Output> {
    const seconds = settings.mcpCallSeconds
    const { signal, progress, ask } = call
    const late = () => upstreamTimeout(`${server} did not answer within ${seconds} s`)
    const follower = call.run?.id
    return exchanges.run({ seconds, signal, late, follower, progress, ask }, async (exchange) => {
      const result = await client.callTool(
        { name: tool.name, arguments: { ...call.args }, _meta: { 'agent-platform/callId': call.id } },
        {
          signal: exchange.signal,
          timeout: LONGEST_MS,
          toolDefinition: tool.definition as never,
          onprogress: ({ progress, total, message }) =>
            exchange.progress(`${message ? plain(message) : `${progress}${total ? ` of ${total}` : ''}`}\n`)
        }
      )
      if (depthOf(result, MOST_DEPTH) > MOST_DEPTH) return failed(`${server} gave a result that is too deep`)
      return outputOf(result)
    })
  }

  return { call }
}

/** Time is kept by the exchange, which knows when people are asked. */
const LONGEST_MS = 2 ** 31 - 1

/** Text as text, what is structured as that, and of what is neither what it is. */
function outputOf({ content, structuredContent, isError }: CallToolResult): Output {
  const flags = isError ? { isError } : {}
  if (structuredContent !== undefined && !isError) return { output: structuredContent }
  if (content.every((block) => block.type === 'text'))
    return { output: content.map(({ text }) => text).join('\n'), ...flags }
  return { output: { content: content.map(described) }, ...flags }
}

type Block = CallToolResult['content'][number]

/** A model reads no bytes that are written as text. */
function described(block: Block): unknown {
  if (block.type === 'image' || block.type === 'audio')
    return { type: block.type, mimeType: block.mimeType, bytes: bytesOf(block.data) }
  if (block.type !== 'resource' || !('blob' in block.resource)) return block
  const { uri, mimeType, blob } = block.resource
  return { type: 'resource', resource: { uri, mimeType, bytes: bytesOf(blob) } }
}

const bytesOf = (base64: string): number => Buffer.byteLength(base64, 'base64')
