import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../schemas/runs.ts'

/** Tokens of one call of a model; what a provider does not say counts as none. */
export const usageOf = (usage: LanguageModelV4Usage | undefined): Usage => ({
  inputTokens: countOf(usage?.inputTokens.total),
  cachedTokens: countOf(usage?.inputTokens.cacheRead),
  outputTokens: countOf(usage?.outputTokens.total)
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
