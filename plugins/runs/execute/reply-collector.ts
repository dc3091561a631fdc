import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata
} from '@ai-sdk/provider'
import type { FinishReason, Usage } from '../schemas/runs.ts'
import type { ReplyPart } from '../stores/steps.ts'
import { RunFailure } from './failures.ts'
import type { Output, Span } from './output.ts'
import { cleanJson, cleanText } from './sanitize.ts'
import { argumentsOf } from './tool-arguments.ts'
import type { CallUsage } from './usage.ts'
import { usageOf } from './usage.ts'

export interface ModelCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly input: string
}

export interface Reply {
  /** In the order in which they came, with the data of the provider. */
  readonly parts: readonly ReplyPart[]
  readonly text: string
  /** The events with the text. */
  readonly said: Span | undefined
  readonly calls: readonly ModelCall[]
  readonly usage: CallUsage
  readonly finishReason: FinishReason
}

/** A reply, and the model that it belongs to. */
export interface Answer extends Reply {
  readonly origin: string
}

/** Characters of a tool's name that are kept. */
const NAME = 256
/** Characters of a call's ID that are kept: some servers put a signature there. */
const ID = 8_192
/** Calls of one reply. */
const CALLS = 128
/** Characters of the provider's data in one reply. */
const DATA = 1_048_576

/** A text or a thought that is under way. */
interface Block {
  readonly type: 'text' | 'reasoning'
  text: string
  metadata: SharedV4ProviderMetadata | undefined
}
type Metadata = SharedV4ProviderMetadata | undefined

/** Puts a reply together from the parts of its stream. */
export function collect(output: Output) {
  const parts: (Block | Exclude<ReplyPart, { type: 'text' | 'reasoning' }>)[] = []
  const calls: ModelCall[] = []
  const blocks = new Map<string, Block>()
  let data = 0
  let usage: Usage | undefined
  let finishReason: FinishReason | undefined

  /** The block of that ID, which begins with its first part; metadata of later parts is added to that of earlier ones. */
  function block(type: Block['type'], id: string, metadata: Metadata): Block {
    const key = `${type} ${id}`
    let known = blocks.get(key)
    if (!known) {
      known = { type, text: '', metadata: undefined }
      blocks.set(key, known)
      parts.push(known)
    }
    if (metadata) known.metadata = joined(known.metadata, counted(metadata))
    return known
  }

  function counted(metadata: SharedV4ProviderMetadata): SharedV4ProviderMetadata {
    data += JSON.stringify(metadata).length
    if (data > DATA)
      throw new RunFailure(
        'upstream',
        'reply_too_large',
        `The model sent more than ${DATA} characters of data`
      )
    return metadata
  }

  return {
    take(part: LanguageModelV4StreamPart) {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start':
          // A new block may have the ID of one that has ended.
          blocks.delete(`${part.type === 'text-start' ? 'text' : 'reasoning'} ${part.id}`)
          block(part.type === 'text-start' ? 'text' : 'reasoning', part.id, part.providerMetadata)
          return
        case 'text-delta':
          block('text', part.id, part.providerMetadata).text += part.delta
          return output.say('final_answer', part.delta)
        case 'reasoning-delta':
          block('reasoning', part.id, part.providerMetadata).text += part.delta
          return output.say('commentary', part.delta)
        case 'text-end':
        case 'reasoning-end':
          if (part.providerMetadata)
            block(part.type === 'text-end' ? 'text' : 'reasoning', part.id, part.providerMetadata)
          return
        case 'custom':
          parts.push({
            type: 'custom',
            kind: part.kind,
            ...optionsOf(part.providerMetadata && counted(part.providerMetadata))
          })
          return
        case 'tool-call':
          if (calls.length === CALLS)
            throw new RunFailure(
              'upstream',
              'too_many_calls',
              `The model made more than ${CALLS} calls at once`
            )
          output.count(part.input.length)
          calls.push({
            id: cleanText(part.toolCallId.slice(0, ID)),
            name: cleanText(part.toolName.slice(0, NAME)),
            input: part.input
          })
          parts.push({
            type: 'tool-call',
            toolCallId: calls.at(-1)?.id as string,
            toolName: calls.at(-1)?.name as string,
            input: argumentsOf(part.input) ?? {},
            ...optionsOf(part.providerMetadata && counted(part.providerMetadata))
          })
          return
        case 'finish':
          finishReason = reasonOf(part.finishReason)
          usage = usageOf(part.usage)
          return
        case 'error':
          throw part.error
      }
    },
    done(): Reply {
      if (!finishReason) throw new Error('The stream of the model ended in the middle')
      const { text, said } = output
      return {
        parts: cleanJson(parts.flatMap(partOf)) as ReplyPart[],
        text,
        said,
        calls,
        usage: usage ?? usageOf(undefined),
        finishReason
      }
    }
  }
}

/** Undefined for a reply that is not complete. */
function reasonOf({ unified, raw }: LanguageModelV4FinishReason): FinishReason | undefined {
  if (unified === 'interrupted') return undefined
  if (unified === 'error') {
    const word = raw !== undefined && /^[\w-]{1,64}$/.test(raw) ? ` (${raw})` : ''
    throw new RunFailure('upstream', 'model_error', `The model ended its reply with an error${word}`)
  }
  if (unified === 'stop' || unified === 'length') return unified
  return unified === 'tool-calls' ? 'tool_calls' : unified === 'content-filter' ? 'content_filter' : 'other'
}

const optionsOf = (metadata: Metadata) => metadata && { providerOptions: metadata }

/** Of both, by provider. */
function joined(one: Metadata, other: SharedV4ProviderMetadata): SharedV4ProviderMetadata {
  const all = { ...one }
  for (const [provider, data] of Object.entries(other)) all[provider] = { ...all[provider], ...data }
  return all
}

/** A block that holds nothing is left out: providers refuse it when it comes back. */
function partOf(part: Block | ReplyPart): ReplyPart[] {
  if (!('metadata' in part)) return [part]
  const { type, text, metadata } = part
  return text === '' && !metadata ? [] : [{ type, text, ...optionsOf(metadata) }]
}
