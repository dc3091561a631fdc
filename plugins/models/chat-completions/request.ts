import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { MessageDialect } from './messages.ts'
import { messagesOf } from './messages.ts'

export interface Dialect {
  readonly modelProvider: string
  readonly openai: boolean
}

/** The body of a request for a stream, and what of the call it cannot say. */
export function requestOf(
  modelId: string,
  { modelProvider, openai }: Dialect,
  call: LanguageModelV4CallOptions,
  wanted: Pick<MessageDialect, 'bare' | 'needsThoughts' | 'needsSignatures'> = {}
) {
  const warnings: SharedV4Warning[] = []
  const warn = (warning: SharedV4Warning) => void warnings.push(warning)
  const { maxOutputTokens, reasoning, stopSequences, topK, includeRawChunks } = call
  if (topK !== undefined) warn({ type: 'unsupported', feature: 'topK' })
  if (includeRawChunks) warn({ type: 'unsupported', feature: 'includeRawChunks' })
  const tools = toolsOf(call, warn)
  // Of servers of other makes some refuse a format beside tools, and others never call one then.
  const body = {
    // What only this provider knows comes first, so that it cannot replace what the call says.
    ...call.providerOptions?.[modelProvider],
    model: modelId,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxOutputTokens !== undefined && {
      [openai ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens
    }),
    temperature: call.temperature,
    top_p: call.topP,
    presence_penalty: call.presencePenalty,
    frequency_penalty: call.frequencyPenalty,
    seed: call.seed,
    stop: stopSequences?.length ? stopSequences : undefined,
    reasoning_effort: reasoning === 'provider-default' ? undefined : reasoning,
    response_format: openai || tools.length === 0 ? formatOf(call.responseFormat) : undefined,
    ...(tools.length > 0 && { tools, tool_choice: choiceOf(call.toolChoice) }),
    messages: messagesOf(call.prompt, { provider: modelProvider, openai, ...wanted }, warn)
  }
  return { body, warnings }
}

function toolsOf(
  { tools = [] }: LanguageModelV4CallOptions,
  warn: (warning: SharedV4Warning) => void
): object[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') {
      warn({ type: 'unsupported', feature: `tool ${tool.id}` })
      return []
    }
    const { name, description, inputSchema, strict } = tool
    return { type: 'function', function: { name, description, parameters: inputSchema, strict } }
  })
}

function choiceOf(choice: LanguageModelV4CallOptions['toolChoice']): string | object | undefined {
  return choice?.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice?.type
}

/** Not `strict`: OpenAI refuses a schema with any optional property then. */
function formatOf(format: LanguageModelV4CallOptions['responseFormat']): object | undefined {
  if (format?.type !== 'json') return undefined
  const { schema, name = 'response', description } = format
  return schema
    ? { type: 'json_schema', json_schema: { name, description, schema } }
    : { type: 'json_object' }
}
