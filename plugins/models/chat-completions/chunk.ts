import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Delta } from './delta-fast-path.ts'

/** An event of a reply as servers send it; any of it may be missing, or of another type. */
export interface Chunk {
  readonly object?: unknown
  readonly id?: unknown
  readonly model?: unknown
  readonly created?: unknown
  readonly error?: unknown
  readonly usage?: unknown
  readonly choices?: readonly {
    readonly delta?: Delta | null
    /** In place of a delta; of a reply that is whole. */
    readonly message?: Delta | null
    readonly finish_reason?: unknown
    readonly error?: unknown
    readonly usage?: unknown
  }[]
  readonly x_groq?: { readonly usage?: unknown } | null
}

/** A whole reply in a body that is one JSON document; undefined for anything else. */
export function wholeIn(body: string): Chunk | undefined {
  if (!body.trimStart().startsWith('{')) return undefined
  try {
    const chunk: Chunk = JSON.parse(body)
    return Array.isArray(chunk.choices) && chunk.choices.length > 0 && !chunk.error ? chunk : undefined
  } catch {
    return undefined
  }
}

/** Text, or the text among several kinds of content. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isThought(part) ? '' : wordsOf(part))).join('')
}

/** The thoughts among several kinds of content, as Mistral has them. */
export function thoughtOf(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isThought(part) ? textOf(part.thinking) || wordsOf(part) : '')).join('')
}

const isThought = (part: unknown): part is { readonly thinking?: unknown } =>
  ['thinking', 'reasoning'].includes(Object(part).type)

const wordsOf = (part: unknown): string => {
  const { text, refusal } = Object(part)
  return typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : ''
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
