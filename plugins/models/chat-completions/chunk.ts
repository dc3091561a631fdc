import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Delta } from './delta-fast-path.ts'
import type { RawUsage } from './finish-reason.ts'

/** An event of a reply as servers send it; any of it may be missing, or of another type. */
export interface Chunk {
  readonly object?: unknown
  readonly id?: unknown
  readonly model?: unknown
  readonly created?: unknown
  readonly error?: unknown
  readonly usage?: RawUsage | null
  readonly choices?: readonly {
    readonly delta?: Delta | null
    readonly finish_reason?: unknown
    readonly error?: unknown
    readonly usage?: unknown
  }[]
  readonly x_groq?: { readonly usage?: unknown } | null
}

/** Text, or the text among several kinds of content. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

export function metadata({ id, model, created }: Chunk): LanguageModelV4StreamPart {
  return {
    type: 'response-metadata',
    ...(typeof id === 'string' && id && { id }),
    ...(typeof model === 'string' && model && { modelId: model }),
    ...(typeof created === 'number' &&
      created > 0 &&
      created < 1e11 && { timestamp: new Date(created * 1000) })
  }
}
