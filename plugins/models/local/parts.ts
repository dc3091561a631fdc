import { createHash } from 'node:crypto'
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage
} from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import type { Move } from './script.ts'

/** A part of a reply, or how many milliseconds to wait for the next one. */
export type Part = LanguageModelV4StreamPart | number

export interface Plan {
  readonly moves: readonly Move[]
  readonly modelId: string
  /** Characters of the prompt. */
  readonly characters: number
  /** What calls are named after: the same prompt gives the same names, another one others. */
  readonly seed: string
  readonly maxOutputTokens: number | undefined
}

const MAX_WAIT_MS = 60_000
const CHARACTERS_A_TOKEN = 4
const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_A_TOKEN)

/** As providers fail: with a status, and a hint whether it is worth trying again. */
export const failure = ({ status, message }: Extract<Move, { do: 'fail' }>): APICallError =>
  new APICallError({
    message,
    url: 'local:',
    requestBodyValues: {},
    statusCode: status,
    isRetryable: status === 429 || status >= 500
  })

/** The parts of a reply, made as they are asked for. */
export function* partsOf(plan: Plan): Generator<Part, void> {
  const { moves, modelId, characters, seed, maxOutputTokens } = plan
  let left = (maxOutputTokens ?? Number.POSITIVE_INFINITY) * CHARACTERS_A_TOKEN
  let pause = 0
  let waited = 0
  const said = { text: 0, reasoning: 0 }
  let deltas = 0
  let blocks = 0
  let calls = 0
  let spoken = false

  /** What may still be said of it. */
  function take(text: string, kind: keyof typeof said): string {
    const taken = text.length > left ? text.slice(0, left) : text
    left -= taken.length
    said[kind] += taken.length
    return taken
  }

  function* delta(type: 'text-delta' | 'reasoning-delta', id: string, text: string): Generator<Part> {
    const ms = deltas++ === 0 ? 0 : Math.min(pause, MAX_WAIT_MS - waited)
    waited += ms
    if (ms > 0) yield ms
    const taken = take(text, type === 'text-delta' ? 'text' : 'reasoning')
    if (taken !== '') yield { type, id, delta: taken }
  }

  function* block(kind: 'text' | 'reasoning', texts: Iterable<string>): Generator<Part> {
    const id = `${kind}-${blocks++}`
    yield { type: `${kind}-start`, id }
    for (const text of texts) {
      if (left <= 0) break
      yield* delta(`${kind}-delta`, id, text)
    }
    yield { type: `${kind}-end`, id }
  }

  function* call({ toolName, input }: Extract<Move, { do: 'call' }>): Generator<Part> {
    const id = `call_${seed}_${calls++}`
    yield { type: 'tool-input-start', id, toolName }
    yield { type: 'tool-input-delta', id, delta: take(input, 'text') }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName, input }
  }

  const finish = (unified: LanguageModelV4FinishReason['unified']): Part => ({
    type: 'finish',
    usage: usageOf(characters, said),
    finishReason: { unified, raw: unified }
  })

  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', modelId }
  for (const move of moves) {
    if (left <= 0) break
    if (move.do === 'wait') pause = move.ms
    else if (move.do === 'think') yield* block('reasoning', words(move.text))
    else if (move.do === 'call') yield* call(move)
    else if (move.do === 'fail') {
      yield { type: 'error', error: failure(move) }
      return yield finish('error')
    } else {
      const texts = move.do === 'say' ? words(move.text) : repeated(move.text, move.times)
      yield* block('text', spoken ? lined(texts) : texts)
      spoken = true
    }
  }
  yield finish(left <= 0 ? 'length' : calls > 0 ? 'tool-calls' : 'stop')
}

/** Each with the space before it. */
const words = (text: string): Iterable<string> => text.match(/\s*\S+|\s+$/g) ?? []

function* repeated(text: string, times: number): Generator<string> {
  for (let done = 0; done < times; done++) yield done === 0 ? text : ` ${text}`
}

/** In a line of its own. */
function* lined(texts: Iterable<string>): Generator<string> {
  let first = true
  for (const text of texts) {
    yield first ? `\n${text}` : text
    first = false
  }
}

function usageOf(characters: number, said: { text: number; reasoning: number }): LanguageModelV4Usage {
  const input = tokensOf(characters)
  const text = tokensOf(said.text)
  const reasoning = tokensOf(said.reasoning)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: text + reasoning, text, reasoning }
  }
}

export const seedOf = (...given: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 12)
