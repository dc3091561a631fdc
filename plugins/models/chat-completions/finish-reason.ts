import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'

type Unified = LanguageModelV4FinishReason['unified']

const reasons: Readonly<Record<string, Unified>> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  error: 'error'
}

/** Some servers say `stop`, or nothing, when they call tools. */
export function finishReason(raw: string | undefined, calledTools: boolean): LanguageModelV4FinishReason {
  const unified = (raw !== undefined && Object.hasOwn(reasons, raw) && reasons[raw]) || 'other'
  return { unified: calledTools && (unified === 'stop' || unified === 'other') ? 'tool-calls' : unified, raw }
}

/** What servers say of usage; DeepSeek has a name of its own for cached tokens. */
export interface RawUsage {
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
  readonly prompt_cache_hit_tokens?: unknown
}

const count = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : undefined)
const rest = (total: number | undefined, part = 0) =>
  total === undefined ? undefined : Math.max(0, total - part)

export function usageOf(raw: RawUsage | undefined): LanguageModelV4Usage {
  const input = count(raw?.prompt_tokens)
  const cached = count(raw?.prompt_tokens_details?.cached_tokens) ?? count(raw?.prompt_cache_hit_tokens)
  const output = count(raw?.completion_tokens)
  const reasoning = count(raw?.completion_tokens_details?.reasoning_tokens)
  return {
    inputTokens: { total: input, noCache: rest(input, cached), cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: rest(output, reasoning), reasoning },
    ...(raw && { raw: raw as NonNullable<LanguageModelV4Usage['raw']> })
  }
}
