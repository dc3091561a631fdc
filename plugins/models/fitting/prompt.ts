import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { cleaned } from './prompt-content.ts'
import type { PromptRules } from './prompt-rules.ts'
import { alternating, withSystemFirst } from './prompt-turns.ts'
import { pairCalls } from './tool-pairs.ts'

/** A prompt that a provider accepts, whatever its history holds: the same for the same history. */
export function fittedPrompt(
  prompt: readonly LanguageModelV4Message[],
  rules: PromptRules,
  images: boolean
): LanguageModelV4Message[] {
  const accepted = { ...rules, images }
  const messages = pairCalls(prompt, rules.isCallId).flatMap((message) => cleaned(message, accepted))
  const placed = withSystemFirst(messages, rules.oneSystem)
  return rules.alternates ? alternating(placed) : [...placed]
}
