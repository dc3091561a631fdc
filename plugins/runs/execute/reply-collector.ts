import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Usage } from '../schemas/runs.ts'
import type { ReplyPart } from '../stores/steps.ts'
import { RunFailure } from './failures.ts'
import type { Output, Span } from './output.ts'
import { cleanJson, cleanText } from './sanitize.ts'
import type { CallUsage } from './usage.ts'
import { usageOf } from './usage.ts'

export interface ModelCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly input: string
}

export interface Reply {
  readonly parts: readonly ReplyPart[]
  readonly text: string
  /** The events with the text. */
  readonly said: Span | undefined
  readonly calls: readonly ModelCall[]
  readonly usage: CallUsage
}

/** Characters of a tool's name, and of a call's id, that are kept: none has more. */
const NAME = 200
/** Calls of one reply. */
const CALLS = 128

/** Puts a reply together from the parts of its stream. */
export function collect(output: Output) {
  const parts: ReplyPart[] = []
  const calls: ModelCall[] = []
  const thoughts = new Map<string, { text: string; index: number }>()
  let usage: Usage | undefined
  let finished = false

  return {
    take(part: LanguageModelV4StreamPart) {
      switch (part.type) {
        case 'text-delta':
          return output.say('final_answer', part.delta)
        case 'reasoning-start':
          thoughts.set(part.id, { text: '', index: parts.push({ type: 'reasoning', text: '' }) - 1 })
          return
        case 'reasoning-delta': {
          const thought = thoughts.get(part.id)
          if (thought) thought.text += part.delta
          return output.say('commentary', part.delta)
        }
        case 'reasoning-end': {
          const thought = thoughts.get(part.id)
          // A provider wants its own thoughts back as it gave them, with their signature.
          if (thought)
            parts[thought.index] = {
              type: 'reasoning',
              text: thought.text,
              ...(part.providerMetadata && { providerOptions: part.providerMetadata })
            }
          return
        }
        case 'tool-call':
          if (calls.length === CALLS)
            throw new RunFailure(
              'upstream',
              'too_many_calls',
              `The model made more than ${CALLS} calls at once`
            )
          output.count(part.input.length)
          calls.push({
            id: cleanText(part.toolCallId.slice(0, NAME)),
            name: cleanText(part.toolName.slice(0, NAME)),
            input: part.input
          })
          return
        case 'finish':
          finished = part.finishReason.unified !== 'interrupted'
          usage = usageOf(part.usage)
          return
        case 'error':
          throw part.error
      }
    },
    done(): Reply {
      if (!finished) throw new Error('The stream of the model ended in the middle')
      const { text, said } = output
      if (text !== '') parts.push({ type: 'text', text })
      for (const { id, name, input } of calls)
        parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input: parse(input) ?? {} })
      return { parts: cleanJson(parts) as ReplyPart[], text, said, calls, usage: usage ?? usageOf(undefined) }
    }
  }
}

/** The arguments of a call; undefined unless they are a JSON object. */
export function parse(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input.trim() === '' ? '{}' : input)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (cleanJson(value) as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
