import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../schemas/runs.ts'
import { CHARACTERS_PER_TOKEN } from './context-budget.ts'

/** What one call of a model took. Of those that were recorded before it was kept, the model is not known. */
export interface CallUsage extends Usage {
  readonly modelProvider?: string
  readonly modelId?: string
}

/** Tokens of one call of a model; what a provider does not say counts as none. */
export const usageOf = (usage: LanguageModelV4Usage | undefined): Usage => ({
  inputTokens: countOf(usage?.inputTokens.total),
  cachedTokens: countOf(usage?.inputTokens.cacheRead),
  outputTokens: countOf(usage?.outputTokens.total)
})

/** Of a reply that broke off before its provider told: what it had been given and had said, in characters. */
export const guessOf = (prompt: number, reply: number): Usage => ({
  inputTokens: Math.ceil(prompt / CHARACTERS_PER_TOKEN),
  cachedTokens: 0,
  outputTokens: Math.ceil(reply / CHARACTERS_PER_TOKEN)
})

export const sumOf = (parts: readonly Usage[]): Usage =>
  parts.reduce(
    (sum, part) => ({
      inputTokens: sum.inputTokens + part.inputTokens,
      cachedTokens: sum.cachedTokens + part.cachedTokens,
      outputTokens: sum.outputTokens + part.outputTokens
    }),
    { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
  )

const countOf = (tokens: number | undefined) =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0
