import { isDeepStrictEqual } from 'node:util'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { examineValue, upstreamTimeout } from 'agent-platform'
import type { Call, KindTool, Output, ToolKind } from '../../tools/contract.ts'
import type { Connection } from '../connections/connection.ts'
import { faultOf, plain, refusalOf } from '../connections/faults.ts'
import { callTool } from '../connections/input-rounds.ts'
import type { McpSettings } from '../settings.ts'
import type { ServerRow } from '../stores/servers.ts'
import type { Definition, ToolRow, ToolStore } from '../stores/tools.ts'
import type { ClientSessions } from './client-session.ts'
import { unavailableOf } from './discovered-tools.ts'

interface Deps {
  settings: McpSettings
  toolStore: ToolStore
  clientSessions: ClientSessions
}

/** Of a call that waits for an answer: its questions, and of which place they are. */
interface Kept {
  readonly generation: number
  readonly round: unknown
}

const gone = (tool: ToolRow): ToolRow => ({ ...tool, missing: true })
/** What a server may tell calls by; where it is a platform, what it begins for one counts as the run's. */
const metaOf = ({ id, run }: Call) => ({
  'agent-platform/callId': id,
  ...(run && { 'agent-platform/runId': run.id })
})
const failed = (output: string): Output => ({ output, isError: true })

/** How tools of tool servers are called. */
export function createMcpKind({ settings, toolStore, clientSessions }: Deps): ToolKind {
  async function call({ project, id }: KindTool, call: Call): Promise<Output> {
    const found = await toolStore.findCalled(project, id)
    if (!found) return failed('The tool is gone')
    const { server } = found
    if (server.status === 'disconnected') return failed('The server of the tool is disconnected')
    try {
      const made = async (connection: Connection, isNew: boolean) => {
        // Connecting may have found that it is not what it was.
        const tool = isNew ? ((await toolStore.find(id)) ?? gone(found.tool)) : found.tool
        const unavailable = unavailableOf(tool)
        return unavailable === null ? ask(connection, server, tool, call) : failed(unavailable)
      }
      return await clientSessions.use(server, made)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) return failed(`${server.name} refuses: ${refusal.message}`)
      throw call.signal.aborted ? error : faultOf(error, server.name)
    }
  }

  async function ask(
    connection: Connection,
    { name: server, generation }: ServerRow,
    tool: ToolRow,
    call: Call
  ): Promise<Output> {
    const seconds = settings.mcpCallSeconds
    const { signal, progress, resumed: asked } = call
    // What was asked at one place is not answered at another.
    const resumed = asked && { ...asked, resume: (asked.resume as Kept).round }
    if (asked && (asked.resume as Kept).generation !== generation)
      return failed(`${server} was changed while it asked: the call was not made again`)
    const ask: Call['ask'] = (question, round) =>
      call.ask(question, round === undefined ? undefined : ({ generation, round } satisfies Kept))
    const late = () => upstreamTimeout(`${server} did not answer within ${seconds} s`)
    const follower = call.run?.id
    const options = { seconds, signal, late, follower, caller: call, progress, ask }
    return connection.exchanges.run(options, async (exchange) => {
      const result = await callTool(
        connection,
        exchange,
        { name: tool.name, arguments: { ...call.args }, _meta: metaOf(call) },
        {
          signal: exchange.signal,
          timeout: LONGEST_MS,
          toolDefinition: withoutOutput(tool.definition) as never,
          onprogress: ({ progress, total, message }) =>
            exchange.progress(`${message ? plain(message) : `${progress}${total ? ` of ${total}` : ''}`}\n`)
        },
        resumed
      )
      const fault = await faultOfResult(tool, result, exchange.signal)
      return fault === undefined ? outputOf(result) : failed(`${server} gave a result that ${fault}`)
    })
  }

  return { tokens: 'calls', call }
}

const withoutOutput = ({ outputSchema: _, ...definition }: Definition): Omit<Definition, 'outputSchema'> =>
  definition

/** What is wrong with a result by what its server said of it, if anything. */
async function faultOfResult(
  { project, owner, definition: { outputSchema } }: ToolRow,
  { structuredContent, isError }: CallToolResult,
  signal: AbortSignal
): Promise<string | undefined> {
  if (!outputSchema || isError) return undefined
  if (structuredContent === undefined) return 'lacks the structured content that its outputSchema promises'
  const fault = await examineValue({ project, owner }, outputSchema, structuredContent, signal)
  return fault && `does not match its outputSchema: ${fault.at || 'it'} ${fault.text}`
}

/** Time is kept by the exchange, which knows when people are asked. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Text as text, and structured content as that. Content that says more than the structured content is kept next to it, and
 * what is neither is described.
 */
function outputOf({ content, structuredContent, isError }: CallToolResult): Output {
  const flags = isError ? { isError } : {}
  if (structuredContent !== undefined && !isError) {
    const isMirror = createIsMirror(structuredContent)
    const more = content.filter((block, index) => !isMirror(block, index))
    if (more.length === 0) return { output: structuredContent }
    return { output: { structuredContent, content: more.map(described) } }
  }
  if (content.every((block) => block.type === 'text'))
    return { output: content.map(({ text }) => text).join('\n'), ...flags }
  return { output: { content: content.map(described) }, ...flags }
}

type Block = CallToolResult['content'][number]

/** Parts of structured content that are compared with each block: enough for what servers wrap results in. */
const MOST_PARTS = 50

/**
 * Whether a block only repeats the structured content: servers send it as text, too, for clients that read only that, as a
 * whole, without the object around it, or list item by list item.
 */
function createIsMirror(structured: unknown) {
  const parts = [structured, ...Object.values(Object(structured) as object).slice(0, MOST_PARTS)]
  const lists = parts.filter(Array.isArray)
  return (block: Block, index: number): boolean => {
    if (block.type !== 'text') return false
    const { text } = block
    const parsed = parsedOf(text)
    const isSame = (part: unknown) => part === text || isDeepStrictEqual(part, parsed)
    return text.trim() === '' || parts.some(isSame) || lists.some((list) => isSame(list[index]))
  }
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A model reads no bytes that are written as text. */
function described(block: Block): unknown {
  if (block.type === 'image' || block.type === 'audio')
    return { type: block.type, mimeType: block.mimeType, bytes: bytesOf(block.data) }
  if (block.type !== 'resource' || !('blob' in block.resource)) return block
  const { uri, mimeType, blob } = block.resource
  return { type: 'resource', resource: { uri, mimeType, bytes: bytesOf(blob) } }
}

const bytesOf = (base64: string): number => Buffer.byteLength(base64, 'base64')
