import type { Usage } from '../../runs/contract.ts'

/** What was used since then. */
export const usedSince = (now: Usage, before: Usage | null): Usage => ({
  inputTokens: now.inputTokens - (before?.inputTokens ?? 0),
  cachedTokens: now.cachedTokens - (before?.cachedTokens ?? 0),
  outputTokens: now.outputTokens - (before?.outputTokens ?? 0)
})

export const chatUsage = ({ inputTokens, cachedTokens, outputTokens }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0
  }
})

export const responseUsage = ({ inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens }: Usage) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens + outputTokens
})
