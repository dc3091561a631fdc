import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'

type Unified = LanguageModelV4FinishReason['unified']

const reasons: Readonly<Record<string, Unified>> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content-filter',
  refusal: 'content-filter',
  safety: 'content-filter',
  sensitive: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  error: 'error',
  network_error: 'error',
  insufficient_system_resource: 'error'
}

/** Some servers say `stop`, or nothing, when they call tools. */
export function finishReason(raw: string | undefined, calledTools: boolean): LanguageModelV4FinishReason {
  const known = raw?.toLowerCase() ?? ''
  const unified = (Object.hasOwn(reasons, known) && reasons[known]) || 'other'
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

/** Some servers write numbers as text. */
function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? number : undefined
}

/** Whether usage says anything: some servers end with zeros, after they have told it. */
export const saysUsage = (it: unknown): it is RawUsage => {
  if (typeof it !== 'object' || it === null) return false
  const { prompt_tokens, completion_tokens } = it as RawUsage
  return (count(prompt_tokens) ?? 0) + (count(completion_tokens) ?? 0) > 0
}
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
