import type { LanguageModelV4FilePart, LanguageModelV4Message } from '@ai-sdk/provider'
import type { PromptRules } from './prompt-rules.ts'

type Message = LanguageModelV4Message
type Of<Role extends Message['role']> = Extract<Message, { role: Role }>
type Result = Extract<Of<'tool'>['content'][number], { type: 'tool-result' }>
type Output = Result['output']

/** Stand where there is nothing that a provider accepts. */
const EMPTY = '(empty message)'
const NO_OUTPUT = '(no output)'
const NO_IMAGE = '(An image was here, but this model does not accept images.)'

export interface Accepted extends Pick<PromptRules, 'acceptsSignedBlanks' | 'mayEndWithThought'> {
  readonly images: boolean
}

const isBlank = (text: string): boolean => text.trim() === ''
const isImage = ({ mediaType }: Pick<LanguageModelV4FilePart, 'mediaType'>): boolean =>
  mediaType === 'image' || mediaType.startsWith('image/')

/** The message with no blank text, and no image that the model does not accept; nothing for a reply that says nothing. */
export function cleaned(message: Message, accepted: Accepted): Message[] {
  if (message.role === 'system') return isBlank(message.content) ? [] : [message]
  if (message.role === 'user') return [{ ...message, content: ofUser(message, accepted) }]
  if (message.role === 'tool')
    return [
      {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' ? { ...part, output: outputOf(part.output, accepted) } : part
        )
      }
    ]
  const content = message.content.filter(
    (part) =>
      part.type !== 'text' || !isBlank(part.text) || (accepted.acceptsSignedBlanks && part.providerOptions)
  )
  while (!accepted.mayEndWithThought && content.at(-1)?.type === 'reasoning') content.pop()
  return content.some(({ type }) => type !== 'reasoning') ? [{ ...message, content }] : []
}

function ofUser({ content }: Of<'user'>, { images }: Accepted): Of<'user'>['content'] {
  const parts = content.flatMap((part): Of<'user'>['content'] => {
    if (part.type === 'text') return isBlank(part.text) ? [] : [part]
    return images || !isImage(part) ? [part] : [{ type: 'text', text: NO_IMAGE }]
  })
  return parts.length > 0 ? parts : [{ type: 'text', text: EMPTY }]
}

function outputOf(output: Output, { images }: Accepted): Output {
  if (output.type === 'text' || output.type === 'error-text')
    return isBlank(output.value) ? { ...output, value: NO_OUTPUT } : output
  if (output.type !== 'content') return output
  const value = output.value.flatMap((part): typeof output.value => {
    if (part.type === 'text') return isBlank(part.text) ? [] : [part]
    return images || part.type !== 'file' || !isImage(part) ? [part] : [{ type: 'text', text: NO_IMAGE }]
  })
  return value.length > 0 ? { ...output, value } : { type: 'text', value: NO_OUTPUT }
}
