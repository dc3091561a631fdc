import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { createDistinctIds } from './call-ids.ts'

type Of<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>
type Results = { -readonly [K in keyof Of<'tool'>]: Of<'tool'>[K] }
type Assistant = Of<'assistant'>
type CallPart = Extract<Assistant['content'][number], { type: 'tool-call' }>

/** A call, and where its result belongs. */
interface Pair {
  readonly id: string
  readonly toolName: string
  readonly into: Results
  readonly at: number
  isAnswered: boolean
}

/** For the model: a result that nothing has recorded. */
const MISSING = 'The result of this call was not recorded'

/**
 * Every call with its result directly after it, in one message for all calls of a reply, by an ID that is accepted and
 * used once. A call without a result gets an error, and a result without a call is left out. The latest calls of an ID
 * are answered first.
 */
export function pairCalls(
  prompt: readonly LanguageModelV4Message[],
  isCallId: (id: string) => boolean
): LanguageModelV4Message[] {
  const distinct = createDistinctIds(isCallId)
  const pairs = new Map<string, Pair[]>()
  const paired: LanguageModelV4Message[] = []

  function open(call: CallPart, into: Results): CallPart {
    const id = distinct(call.toolCallId)
    const { toolName } = call
    const pair = { id, toolName, into, at: into.content.length, isAnswered: false }
    into.content.push({
      type: 'tool-result',
      toolCallId: id,
      toolName,
      output: { type: 'error-text', value: MISSING }
    })
    const known = pairs.get(call.toolCallId)
    if (known) known.push(pair)
    else pairs.set(call.toolCallId, [pair])
    return { ...call, toolCallId: id, input: objectOf(call.input) }
  }

  function answer(result: LanguageModelV4ToolResultPart, { providerOptions }: Of<'tool'>): void {
    const unanswered = pairs.get(result.toolCallId)?.filter(({ isAnswered }) => !isAnswered) ?? []
    const latest = unanswered.at(-1)?.into
    const pair = unanswered.find(({ into }) => into === latest)
    if (!pair) return
    pair.isAnswered = true
    pair.into.content[pair.at] = { ...result, toolCallId: pair.id, toolName: pair.toolName }
    if (providerOptions) pair.into.providerOptions = providerOptions
  }

  for (const message of prompt)
    if (message.role === 'tool') {
      for (const part of message.content) if (part.type === 'tool-result') answer(part, message)
    } else if (message.role === 'assistant') {
      const into: Results = { role: 'tool', content: [] }
      const content = message.content.map((part) =>
        part.type === 'tool-call' && !part.providerExecuted ? open(part, into) : part
      )
      paired.push({ ...message, content })
      if (into.content.length > 0) paired.push(into)
    } else paired.push(message)
  return paired
}

/** Arguments are an object for every provider. */
function objectOf(input: unknown): object {
  if (typeof input === 'string')
    try {
      return objectOf(JSON.parse(input))
    } catch {
      return {}
    }
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
}
