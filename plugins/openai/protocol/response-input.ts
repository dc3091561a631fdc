import { invalid } from 'agent-platform'
import type { OrderedMessage } from '../../runs/contract.ts'
import type { ResponseBody } from '../schemas/responses.ts'
import type { Given } from './content.ts'
import { isObject, readContent, unsupported } from './content.ts'
import type { Heard, Results } from './heard.ts'
import { parsedArgs, readFormat, readTools } from './heard.ts'
import { readOptions } from './options.ts'

type Item = Readonly<Record<string, unknown>>

/** What `input` says, as a list. */
export const itemsOf = ({ input }: Pick<ResponseBody, 'input'>): readonly Item[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? [])

/** A request for a response; 400 for what is wrong with it or cannot be done. */
export function readResponse(body: ResponseBody, items: readonly Item[]): Heard {
  if (body.conversation != null) throw unsupported('/conversation', 'Conversations')
  if (body.prompt != null) throw unsupported('/prompt', 'Kept prompts')
  if (items.length === 0) throw invalid('/input', '/input must not be empty')
  const given: Given[] = []
  const messages = messagesOf(items, given, body.previous_response_id != null)
  const { cliTools, toolChoice } = readTools(body.tools, body.tool_choice, (tool) => tool)
  const answerSchema = readFormat(body.text?.format, '/text/format', (format) => format.schema)
  const { temperature, top_p, parallel_tool_calls } = body
  const options = readOptions({
    temperature,
    top_p,
    parallel_tool_calls,
    toolChoice,
    maxTokens: body.max_output_tokens,
    effort: body.reasoning?.effort,
    effortParam: '/reasoning/effort'
  })
  return {
    messages,
    given,
    results: resultsOf(items),
    ...(body.instructions != null && { cliContext: body.instructions }),
    ...(cliTools && { cliTools }),
    ...(answerSchema && { answerSchema }),
    ...(options && { options })
  }
}

const kindOf = (item: Item) => (item.type === undefined && item.role !== undefined ? 'message' : item.type)

function messagesOf(items: readonly Item[], given: Given[], hasPrevious: boolean): OrderedMessage[] {
  const messages: OrderedMessage[] = []
  const called = new Map<string, string>()
  for (const [index, item] of items.entries()) {
    const param = `/input/${index}`
    if (!isObject(item)) throw invalid(param, `${param} must be an object`)
    const kind = kindOf(item)
    if (kind === 'message') messages.push(said(item, param, given))
    else if (kind === 'function_call') {
      const { call_id, name, arguments: args } = item
      if (typeof call_id !== 'string' || typeof name !== 'string')
        throw invalid(param, `${param} must have a call_id and a name`)
      called.set(call_id, name)
      const call = { callId: call_id, toolName: name, args: parsedArgs(args) }
      const last = messages.at(-1)
      // Calls of one reply stand in one message.
      if (last?.role === 'assistant' && kindOf(items[index - 1] ?? {}) === 'function_call')
        messages[messages.length - 1] = { ...last, toolCalls: [...(last.toolCalls ?? []), call] }
      else messages.push({ role: 'assistant', content: '', toolCalls: [call] })
    } else if (kind === 'function_call_output') {
      const callId = String(item.call_id)
      const toolName = called.get(callId)
      if (toolName === undefined && !hasPrevious)
        throw invalid(`${param}/call_id`, `No tool call found for function call output ${callId}`)
      const content = readContent(item.output, `${param}/output`, undefined)
      messages.push({ role: 'tool', content, callId, toolName: toolName ?? 'function', isError: false })
    } else if (kind !== 'reasoning')
      throw unsupported(`${param}/type`, `Items of the type ${JSON.stringify(kind ?? null)}`)
  }
  return messages
}

function said({ role, content }: Item, param: string, given: Given[]): OrderedMessage {
  const at = `${param}/content`
  if (role === 'user') return { role, content: readContent(content, at, given) }
  if (role === 'assistant') return { role, content: readContent(content, at, undefined) }
  if (role === 'system' || role === 'developer')
    return { role: 'system', content: readContent(content, at, undefined) }
  throw invalid(`${param}/role`, `${param}/role must be user, assistant, system or developer`)
}

/** The request ends with answers to the calls of one reply, and nothing else. */
function resultsOf(items: readonly Item[]): Results | undefined {
  const at = items.findLastIndex((item) => kindOf(item) !== 'function_call_output')
  if (at === items.length - 1) return undefined
  const outputs = items.slice(at + 1).map(({ call_id, output }) => ({
    callId: String(call_id),
    output: readContent(output, '/input', undefined)
  }))
  if (at < 0) return { outputs, before: undefined }
  // What the reply was made of is sent again with it.
  const isOfReply = (item: Item) =>
    kindOf(item) === 'function_call' || kindOf(item) === 'reasoning' || item.role === 'assistant'
  return {
    outputs,
    before: items.slice(0, items.findLastIndex((it, index) => index <= at && !isOfReply(it)) + 1)
  }
}

/** The answers stand before whatever else a request says that goes on from a response. */
export const outputsAhead = (messages: readonly OrderedMessage[]) => {
  const end = messages.findIndex(({ role }) => role !== 'tool')
  return end < 0 ? messages.length : end
}
