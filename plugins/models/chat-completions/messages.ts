import type { LanguageModelV4FilePart, LanguageModelV4Message, SharedV4Warning } from '@ai-sdk/provider'

type Warn = (warning: SharedV4Warning) => void
type Of<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>
type Result = Extract<Of<'tool'>['content'][number], { type: 'tool-result' }>

/** A prompt as messages of this protocol; what it cannot say is left out with a warning. */
export function messagesOf(prompt: readonly LanguageModelV4Message[], openai: boolean, warn: Warn): object[] {
  return prompt.flatMap((message): object | object[] => {
    if (message.role === 'system') return { role: 'system', content: message.content }
    if (message.role === 'user') return { role: 'user', content: userContent(message, warn) }
    if (message.role === 'assistant') return assistant(message, openai, warn)
    return results(message, warn)
  })
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

function assistant({ content }: Of<'assistant'>, openai: boolean, warn: Warn): object {
  let text = ''
  let reasoning = ''
  const calls: object[] = []
  for (const part of content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') reasoning += part.text
    else if (part.type === 'tool-call')
      calls.push({
        id: part.toolCallId,
        type: 'function',
        function: { name: part.toolName, arguments: argumentsOf(part.input) }
      })
    else warn({ type: 'unsupported', feature: `${part.type} in a message of the assistant` })
  }
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    // Some models go on thinking where they were; OpenAI's own protocol does not know it.
    ...(!openai && reasoning !== '' && { reasoning_content: reasoning }),
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
