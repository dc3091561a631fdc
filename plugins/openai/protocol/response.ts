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
  /** Fields that are only reported as they were asked; left out of those that were stored before they were kept. */
  readonly echoed?: EchoedFields
}

export interface EchoedFields {
  readonly parallel_tool_calls?: boolean
  readonly truncation?: string
  readonly max_tool_calls?: number
  readonly top_logprobs?: number
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly prompt_cache_key?: string
  readonly safety_identifier?: string
  readonly reasoning?: object
}
const echoedNames = [
  'parallel_tool_calls',
  'truncation',
  'max_tool_calls',
  'top_logprobs',
  'presence_penalty',
  'frequency_penalty',
  'prompt_cache_key',
  'safety_identifier',
  'reasoning'
] as const

/** Of a request the fields that a response reports as they were asked. */
export const echoedOf = (body: object): EchoedFields =>
  Object.fromEntries(
    echoedNames.flatMap((name) => {
      const value = (body as Record<string, unknown>)[name]
      return value === undefined || value === null ? [] : [[name, value]]
    })
  )

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
  /** Unix time of its last event, in seconds. */
  readonly at?: number
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
    completed_at: ended && statusOf(ended.end) === 'completed' ? (ended.at ?? created) : null,
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
    max_tool_calls: null,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    prompt_cache_key: null,
    safety_identifier: null,
    previous_response_id: previousId,
    service_tier: 'default',
    store: stored,
    temperature: asked.temperature ?? 1,
    text: { format: asked.format },
    tool_choice: asked.toolChoice,
    tools: asked.tools,
    top_p: asked.topP ?? 1,
    truncation: 'disabled',
    ...asked.echoed,
    reasoning: { effort: null, summary: null, ...asked.echoed?.reasoning },
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
