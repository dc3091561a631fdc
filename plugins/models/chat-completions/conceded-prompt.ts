import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { cleaned } from '../fitting/prompt-content.ts'
import type { Concessions } from './concessions.ts'

type Message = LanguageModelV4Message

/** A prompt for a server that refuses some of what messages may hold. */
export function concededPrompt(
  prompt: Message[],
  { withoutImages, oneText }: Pick<Concessions, 'withoutImages' | 'oneText'>
): Message[] {
  if (!withoutImages && !oneText) return prompt
  const accepted = { acceptsSignedBlanks: false, mayEndWithThought: true, images: false }
  const messages = withoutImages ? prompt.flatMap((message) => cleaned(message, accepted)) : prompt
  return oneText ? messages.map(asOneText) : messages
}

/** Texts of a message of the user in one; files cannot be sent so, and stay. */
function asOneText(message: Message): Message {
  if (message.role !== 'user' || message.content.length < 2) return message
  const text = message.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n')
  const files = message.content.filter(({ type }) => type === 'file')
  return { ...message, content: [{ type: 'text', text }, ...files] }
}
