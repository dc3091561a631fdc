import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'

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
