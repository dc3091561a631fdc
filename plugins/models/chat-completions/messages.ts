import type { LanguageModelV4FilePart, LanguageModelV4Message, SharedV4Warning } from '@ai-sdk/provider'
import { retainedOf } from './opaque.ts'

type Warn = (warning: SharedV4Warning) => void
type Of<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>
type Result = Extract<Of<'tool'>['content'][number], { type: 'tool-result' }>

/** What a server wants of the messages of its model. */
export interface MessageDialect {
  /** Under which the data of the server is found in the options of parts. */
  readonly provider: string
  readonly openai: boolean
  /** Without thoughts, and without data that the server gave with earlier replies: it refuses that. */
  readonly bare?: boolean
  /** Each message of a turn with calls has thoughts: the server refuses those of other models, which have none. */
  readonly needsThoughts?: boolean
  /** The first call of each message has a signature: Google refuses those of other models, which have none. */
  readonly needsSignatures?: boolean
}

/** Stands for the thoughts of another model; an empty text is refused as missing. */
const NO_THOUGHTS = ' '
/** Google's own word for calls that another model made. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

/** A prompt as messages of this protocol; what it cannot say is left out with a warning. */
export function messagesOf(
  prompt: readonly LanguageModelV4Message[],
  dialect: MessageDialect,
  warn: Warn
): object[] {
  const field = thoughtFieldOf(prompt, dialect)
  const calling = callingTurns(prompt)
  return prompt.flatMap((message, at): object | object[] => {
    if (message.role === 'system') return { role: 'system', content: message.content }
    if (message.role === 'user') return { role: 'user', content: userContent(message, warn) }
    if (message.role === 'assistant') return assistant(message, dialect, calling.has(at) && field, warn)
    return results(message, warn)
  })
}

/** The field in which this server gave thoughts; undefined where they are not sent. */
function thoughtFieldOf(
  prompt: readonly LanguageModelV4Message[],
  { provider, openai, bare }: MessageDialect
) {
  // OpenAI's own protocol has no field for them.
  if (openai || bare) return undefined
  for (const { role, content } of prompt) {
    if (role !== 'assistant') continue
    for (const part of content) {
      const { thoughts } = retainedOf(provider, part.providerOptions)
      if (thoughts) return thoughts
    }
  }
  return 'reasoning_content'
}

/**
 * Messages of turns in which tools were called: models want the thoughts of these back (DeepSeek V4 and Kimi refuse a
 * request without), while thoughts of other turns are ignored or refused.
 */
function callingTurns(prompt: readonly LanguageModelV4Message[]): ReadonlySet<number> {
  const calling = new Set<number>()
  let turn: number[] = []
  let hasCalls = false
  for (const [at, { role }] of [...prompt.entries(), [prompt.length, { role: 'user' }] as const]) {
    if (role === 'tool') hasCalls = true
    if (role !== 'user') turn.push(at)
    else {
      if (hasCalls) for (const index of turn) calling.add(index)
      turn = []
      hasCalls = false
    }
  }
  return calling
}

function userContent({ content }: Of<'user'>, warn: Warn): string | object[] {
  const [first, ...more] = content
  if (more.length === 0 && (!first || first.type === 'text')) return first?.text ?? ''
  return content.flatMap((part) =>
    part.type === 'text' ? { type: 'text', text: part.text } : (fileContent(part, warn) ?? [])
  )
}

function fileContent({ data, mediaType, filename }: LanguageModelV4FilePart, warn: Warn): object | undefined {
  if (data.type === 'text') return { type: 'text', text: data.text }
  if (/^image(\/|$)/.test(mediaType)) {
    if (data.type === 'url')
      return { type: 'image_url', image_url: { url: data.originalUrl ?? data.url.href } }
    if (data.type === 'data') {
      const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64')
      return {
        type: 'image_url',
        image_url: { url: `data:${imageType(mediaType, base64)};base64,${base64}` }
      }
    }
  }
  warn({ type: 'unsupported', feature: `file (${mediaType})`, details: filename ?? data.type })
  return undefined
}

/** How each kind of image begins in base64. */
const beginnings = { '/9j/': 'jpeg', iVBOR: 'png', R0lG: 'gif', UklGR: 'webp' }

/** The whole media type, also of what is only said to be an image. */
function imageType(mediaType: string, base64: string): string {
  if (/^image\/[^*]/.test(mediaType)) return mediaType
  const known = Object.entries(beginnings).find(([beginning]) => base64.startsWith(beginning))
  return `image/${known?.[1] ?? 'jpeg'}`
}

function assistant(
  { content }: Of<'assistant'>,
  { provider, bare, needsThoughts, needsSignatures }: MessageDialect,
  field: string | false | undefined,
  warn: Warn
): object {
  let text = ''
  let thoughts = ''
  let message = {}
  const calls: Record<string, unknown>[] = []
  for (const part of content) {
    const retained = bare ? {} : retainedOf(provider, part.providerOptions)
    if (retained.message) message = { ...message, ...retained.message }
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') thoughts += part.text
    else if (part.type === 'tool-call')
      calls.push({
        ...retained.call,
        id: part.toolCallId,
        type: 'function',
        function: { ...retained.function, name: part.toolName, arguments: argumentsOf(part.input) }
      })
    else warn({ type: 'unsupported', feature: `${part.type} in a message of the assistant` })
  }
  // Servers with structured thoughts want those alone.
  const isTold = 'reasoning_details' in message || 'thinking_blocks' in message
  const isMissing = needsThoughts && (calls.length > 0 || field) && thoughts === ''
  const [first] = calls
  if (needsSignatures && first && !calls.some((call) => 'extra_content' in call))
    first.extra_content = { google: { thought_signature: NO_SIGNATURE } }
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(field && thoughts !== '' && !isTold && { [field]: thoughts }),
    ...(isMissing && { reasoning_content: NO_THOUGHTS }),
    ...message,
    ...(calls.length > 0 && { tool_calls: calls })
  }
}

/** What a model wrote that was no JSON goes back as it came. */
const argumentsOf = (input: unknown) => (typeof input === 'string' ? input : JSON.stringify(input ?? {}))

function results({ content }: Of<'tool'>, warn: Warn): object[] {
  return content.flatMap((part) => {
    // An approval is for tools that the provider runs, and this protocol has none.
    if (part.type !== 'tool-result') return []
    return { role: 'tool', tool_call_id: part.toolCallId, content: resultText(part.output, warn) }
  })
}

function resultText(output: Result['output'], warn: Warn): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'json' || output.type === 'error-json') return JSON.stringify(output.value)
  if (output.type === 'execution-denied') return output.reason ?? 'The execution of this tool was denied.'
  const texts = output.value.flatMap((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'file' && part.data.type === 'text') return part.data.text
    warn({ type: 'unsupported', feature: `${part.type} in the result of a tool` })
    return []
  })
  return texts.join('\n')
}
