import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import type { StoredRun } from '../stores/row.ts'

/** Marks a part that the next prompt of the session will not have: providers with cache points set one before it. */
const CHANGING = { 'agent-platform': { changing: true } }

/**
 * With what changes from run to run ahead of the last message of the user: all before it stays as it was in the last prompt, and
 * what is behind it as it is in the next steps of the run.
 */
export function withChanging(
  messages: LanguageModelV4Message[],
  changing: readonly string[]
): LanguageModelV4Message[] {
  if (changing.length === 0) return messages
  const text = `<context>\nFrom the platform, not from the user:\n\n${changing.join('\n\n')}\n</context>`
  const message: LanguageModelV4Message = {
    role: 'user',
    content: [{ type: 'text', text, providerOptions: CHANGING }]
  }
  const at = messages.findLastIndex(({ role }) => role === 'user')
  return messages.toSpliced(Math.max(at, 0), 0, message)
}

/** By which OpenAI sends the prompts of a session to the same cache. */
export const cacheKey = ({
  sessionId
}: Pick<StoredRun, 'sessionId'>): NonNullable<LanguageModelV4CallOptions['providerOptions']> => ({
  openai: { prompt_cache_key: sessionId.slice(-64) }
})
