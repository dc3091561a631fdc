import type { Usage } from '../../runs/contract.ts'
import { responseCode } from './failures.ts'
import type { End } from './pieces.ts'
import { responseUsage } from './usage.ts'

/** What is known of a response from the beginning. */
export interface Shown {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly previousId: string | null
  readonly stored: boolean
  readonly metadata: object
  readonly asked: AskedFields
}

/** Of what was asked, all that a response tells of. */
export interface AskedFields {
  readonly instructions: string | null
  readonly tools: readonly object[]
  readonly toolChoice: unknown
  readonly format: object
  readonly temperature: number | null
  readonly topP: number | null
  readonly maxOutputTokens: number | null
  readonly background: boolean
  readonly user: string | null
}

export interface MessageItem {
  readonly id: string
  readonly type: 'message'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly role: 'assistant'
  readonly content: readonly object[]
}
export interface CallItem {
  readonly id: string
  readonly type: 'function_call'
  readonly status: 'in_progress' | 'completed'
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}
export type OutputItem = MessageItem | CallItem

export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
/** Its status, and what came with it. */
export interface Ended {
  readonly end: End
  readonly usage: Usage
}

/** A response as it is at that moment; `ended` undefined while it is under way. */
export function responseOf(
  { id, created, model, previousId, stored, metadata, asked }: Shown,
  output: readonly OutputItem[],
  ended: Ended | undefined,
  isQueued = false
) {
  const status = ended ? statusOf(ended.end) : isQueued ? 'queued' : 'in_progress'
  return {
    id,
    object: 'response',
    created_at: created,
    status,
    background: asked.background,
    error:
      ended?.end.status === 'failed'
        ? { code: responseCode(ended.end.code), message: ended.end.message }
        : null,
    incomplete_details: ended ? incompleteDetails(ended.end) : null,
    instructions: asked.instructions,
    max_output_tokens: asked.maxOutputTokens,
    model,
    output: [...output],
    parallel_tool_calls: true,
    previous_response_id: previousId,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: stored,
    temperature: asked.temperature,
    text: { format: asked.format },
    tool_choice: asked.toolChoice,
    tools: asked.tools,
    top_p: asked.topP,
    truncation: 'disabled',
    usage: ended ? responseUsage(ended.usage) : null,
    user: asked.user,
    metadata
  }
}

/** Why an answer is not whole; null for one that is. */
export function incompleteDetails(end: End): { readonly reason: string } | null {
  if (end.status !== 'completed') return null
  if (end.finishReason === 'length') return { reason: 'max_output_tokens' }
  return end.finishReason === 'content_filter' ? { reason: 'content_filter' } : null
}

const statusOf = (end: End) => {
  if (end.status === 'calls') return 'completed'
  return incompleteDetails(end) ? 'incomplete' : end.status
}
