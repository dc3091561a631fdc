import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Model } from '../../models/contract.ts'
import type { Words } from '../../sessions/contract.ts'
import type { RunSettings } from '../settings.ts'

/** A careful guess: English has four, code and other languages fewer. */
export const CHARACTERS_PER_TOKEN = 3.5
/** Tokens that are left for a reply of unknown length. */
const REPLY_TOKENS = 4_096

/** Characters of a prompt for that model, at most, and of each message in it. */
export function charactersFor(
  { contextTokens: most }: Pick<RunSettings, 'contextTokens'>,
  { contextTokens, outputTokens }: Pick<Model, 'contextTokens' | 'outputTokens'>,
  maxTokens: number | null
): number {
  const whole = Math.min(most, contextTokens ?? most)
  const reply = Math.min(maxTokens ?? REPLY_TOKENS, outputTokens ?? Number.MAX_SAFE_INTEGER, whole / 2)
  return Math.floor((whole - reply) * CHARACTERS_PER_TOKEN)
}

/** What an image of 1,024 pixels a side costs at most, with the vendors that count most. */
export const IMAGE_CHARACTERS = 1_600 * CHARACTERS_PER_TOKEN

export const lengthOf = (words: Words): number =>
  words.content.length +
  (words.role === 'user' ? (words.attachments?.length ?? 0) * IMAGE_CHARACTERS : 0) +
  (words.role === 'assistant' && words.toolCalls?.length ? JSON.stringify(words.toolCalls).length : 0) +
  (words.role === 'assistant' && words.reply ? JSON.stringify(words.reply.parts.filter(isHidden)).length : 0)

/** Whether a part is in a prompt beside what the message says. */
const isHidden = (part: object) => 'providerOptions' in part || ('type' in part && part.type === 'reasoning')

/** Characters of a prompt, as far as they count. */
export const lengthOfPrompt = (prompt: LanguageModelV4Prompt): number =>
  prompt.reduce(
    (sum, { content }) =>
      typeof content === 'string'
        ? sum + content.length
        : content.reduce((part, it) => part + lengthOfPart(it), sum),
    0
  )

type Part = Exclude<LanguageModelV4Prompt[number]['content'], string>[number]
function lengthOfPart(part: Part): number {
  if (part.type === 'text' || part.type === 'reasoning') return part.text.length
  if (part.type === 'tool-call') return JSON.stringify(part.input ?? null).length
  if (part.type === 'tool-result') return JSON.stringify(part.output).length
  return part.type === 'file' ? IMAGE_CHARACTERS : 0
}

/**
 * The newest that fit, a call and what came of it together, the last message in any case. What stands first without the
 * call that it answers is left out.
 */
export function newestOf(messages: readonly Words[], characters: number): readonly Words[] {
  let room = characters
  let kept = messages.length
  for (let at = messages.length - 1, size = 0; at >= 0; at--) {
    const words = messages[at] as Words
    size += lengthOf(words)
    // Its call stands before it.
    if (words.role === 'tool') continue
    room -= size
    size = 0
    if (room < 0 && kept < messages.length) break
    kept = at
  }
  return messages.slice(kept)
}
