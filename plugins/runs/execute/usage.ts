import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Usage } from '../schemas/runs.ts'
import { CHARACTERS_PER_TOKEN } from './token-estimate.ts'

/** What one call of a model took. Of those that were recorded before it was kept, the model is not known. */
export interface CallUsage extends Usage {
  readonly modelProvider?: string
  readonly modelId?: string
}

/** Tokens of one call of a model; what a provider does not say counts as none. */
export function usageOf(usage: LanguageModelV4Usage | undefined): Usage {
  const cacheWriteTokens = countOf(usage?.inputTokens.cacheWrite)
  return {
    inputTokens: countOf(usage?.inputTokens.total),
    cachedTokens: countOf(usage?.inputTokens.cacheRead),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    outputTokens: countOf(usage?.outputTokens.total)
  }
}

/** An estimate for a reply whose provider reported nothing, by the characters of its prompt and of all that it holds. */
export const guessOf = (prompt: number, reply: number): Usage => ({
  inputTokens: Math.ceil(prompt / CHARACTERS_PER_TOKEN),
  cachedTokens: 0,
  outputTokens: Math.ceil(reply / CHARACTERS_PER_TOKEN),
  estimated: true
})

/** What a provider reported of a complete reply, with an estimate for what it did not: no prompt and no text has 0 tokens. */
export function completed(told: Usage, prompt: number, reply: number): Usage {
  const guess = guessOf(prompt, reply)
  const lacks = (name: 'inputTokens' | 'outputTokens') => told[name] === 0 && guess[name] > 0
  if (!lacks('inputTokens') && !lacks('outputTokens')) return told
  return {
    ...told,
    inputTokens: told.inputTokens || guess.inputTokens,
    outputTokens: told.outputTokens || guess.outputTokens,
    estimated: true
  }
}

export const sumOf = (parts: readonly Usage[]): Usage =>
  parts.reduce<Usage>(
    (sum, part) => ({
      inputTokens: sum.inputTokens + part.inputTokens,
      cachedTokens: sum.cachedTokens + part.cachedTokens,
      outputTokens: sum.outputTokens + part.outputTokens,
      ...writtenOf(sum, part),
      ...((sum.estimated || part.estimated) && { estimated: true })
    }),
    { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
  )

function writtenOf({ cacheWriteTokens: one = 0 }: Usage, { cacheWriteTokens: other = 0 }: Usage) {
  return one + other > 0 ? { cacheWriteTokens: one + other } : {}
}

const countOf = (tokens: number | undefined) =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0
