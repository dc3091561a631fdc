import { invalid } from 'agent-platform'
import type { OrderedMessage } from '../../runs/contract.ts'
import type { ChatBody } from '../schemas/chat.ts'
import type { Given } from './content.ts'
import { isObject, readContent, unsupported } from './content.ts'
import type { Heard, Results } from './heard.ts'
import { parsedArgs, readFormat, readTools } from './heard.ts'
import { readOptions } from './options.ts'

type Message = ChatBody['messages'][number]

/** A request for a chat completion; 400 for what is wrong with it or cannot be done. */
export function readChat(body: ChatBody): Heard {
  if ((body.n ?? 1) !== 1) throw unsupported('/n', 'Several choices')
  if (body.logprobs) throw unsupported('/logprobs', 'Probabilities')
  for (const old of ['functions', 'function_call'] as const)
    if (!isNothing(body[old]))
      throw invalid(`/${old}`, `${old} is not supported. Use tools and tool_choice.`, 'unsupported_parameter')
  if (body.modalities?.some((modality) => modality !== 'text'))
    throw unsupported('/modalities', 'Other modalities')
  const given: Given[] = []
  const called = new Map<string, string>()
  const messages = body.messages.map((message, index) =>
    messageOf(message, `/messages/${index}`, given, called)
  )
  const results = resultsOf(body.messages)
  refuseUnanswered(body.messages)
  const { cliTools, toolChoice } = readTools(body.tools, body.tool_choice, (tool, param) => {
    if (!isObject(tool.function)) throw invalid(`${param}/function`, `${param}/function must be an object`)
    return tool.function
  })
  const answerSchema = readFormat(body.response_format, '/response_format', (format) =>
    isObject(format.json_schema) ? format.json_schema.schema : undefined
  )
  const { temperature, top_p, seed, stop, parallel_tool_calls } = body
  const options = readOptions({
    temperature,
    top_p,
    seed,
    stop,
    parallel_tool_calls,
    toolChoice,
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    effort: body.reasoning_effort,
    effortParam: '/reasoning_effort'
  })
  return {
    messages,
    given,
    results,
    ...(cliTools && { cliTools }),
    ...(answerSchema && { answerSchema }),
    ...(options && { options })
  }
}

/** Clients send empty ones for nothing. */
const isNothing = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

function messageOf(
  message: Message,
  param: string,
  given: Given[],
  called: Map<string, string>
): OrderedMessage {
  const { role, content } = message
  const at = `${param}/content`
  if (role === 'system' || role === 'developer')
    return { role: 'system', content: readContent(content, at, undefined) }
  if (role === 'user') return { role, content: readContent(content, at, given) }
  if (role === 'tool') {
    const callId = message.tool_call_id ?? ''
    const toolName = called.get(callId)
    if (toolName === undefined)
      throw invalid(`${param}/tool_call_id`, 'A message of the role tool follows the call that it answers')
    return { role, content: readContent(content, at, undefined), callId, toolName, isError: false }
  }
  const text = readContent(content, at, undefined)
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: wanted }) => {
    called.set(id, wanted.name)
    return { callId: id, toolName: wanted.name, args: parsedArgs(wanted.arguments) }
  })
  return { role: 'assistant', content: text, ...(toolCalls.length > 0 && { toolCalls }) }
}

/** Each call has its answer before something else is said. */
function refuseUnanswered(messages: readonly Message[]): void {
  let open = new Set<string>()
  const refuse = (index: number) => {
    if (open.size === 0) return
    throw invalid(`/messages/${index}`, `The calls ${[...open].join(', ')} have no message of the role tool`)
  }
  for (const [index, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      open.delete(tool_call_id ?? '')
      continue
    }
    refuse(index)
    open = new Set(tool_calls?.map(({ id }) => id))
  }
  refuse(messages.length - 1)
}

/** The request ends with answers to the calls of one reply, and nothing else. */
function resultsOf(messages: readonly Message[]): Results | undefined {
  const at = messages.findLastIndex(({ role }) => role !== 'tool')
  const calls = messages[at]?.tool_calls ?? []
  if (calls.length === 0 || at === messages.length - 1) return undefined
  const outputs = messages.slice(at + 1).map(({ tool_call_id = '', content }) => ({
    callId: tool_call_id,
    output: readContent(content, '/messages', undefined)
  }))
  return { outputs, before: messages.slice(0, at) }
}
