import { setTimeout as delay } from 'node:timers/promises'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart
} from '@ai-sdk/provider'
import { answer } from './answers.ts'
import { fitting } from './fitting.ts'
import type { Part, Plan } from './parts.ts'
import { failure, partsOf, seedOf } from './parts.ts'
import { readPrompt } from './reading.ts'
import type { Move } from './script.ts'
import { readScript, speaks } from './script.ts'

/**
 * A development model that is no language model: the same prompt gives the same reply, at once and offline. What it
 * does when it is told to stands in the README.
 */
export function createLocalModel(modelId: string): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const parts = begin(modelId, options)
      return generated(parts, options.abortSignal)
    },
    async doStream(options) {
      const parts = begin(modelId, options)
      return { stream: streamOf(parts, options.abortSignal) }
    }
  }
}

/** Throws where the first thing to do is to fail, as a provider does that refuses a request. */
function begin(modelId: string, { prompt, maxOutputTokens, ...options }: LanguageModelV4CallOptions) {
  options.abortSignal?.throwIfAborted()
  const { asked, replies, results, calls, characters, at } = readPrompt(prompt)
  const script = readScript(asked, replies)
  const rest = script?.rest ?? asked
  let moves = script?.moves ?? []
  if (!moves.some(speaks)) {
    const repeats = results !== undefined && (!script || rest === '')
    const text = repeats ? results : answer(rest, prompt.toSpliced(at, at < 0 ? 0 : 1))
    moves = [...moves, { do: 'say', text: repeats ? text : formatted(text, options.responseFormat) }]
  }
  if (options.toolChoice?.type === 'none') moves = moves.map(withoutCall)
  const [first] = moves
  if (first?.do === 'fail') throw failure(first)
  const plan: Plan = {
    moves,
    modelId,
    characters,
    seed: seedOf(prompt.length, calls, asked),
    maxOutputTokens
  }
  return partsOf(plan)
}

/** A JSON value where one is asked for. */
function formatted(text: string, format: LanguageModelV4CallOptions['responseFormat']): string {
  if (format?.type !== 'json') return text
  return JSON.stringify(format.schema ? fitting(format.schema, text) : { answer: text })
}

const withoutCall = (move: Move): Move =>
  move.do === 'call' ? { do: 'say', text: `I may not call ${move.toolName} now.` } : move

function streamOf(parts: Iterator<Part, void>, signal: AbortSignal | undefined) {
  const leaving = new AbortController()
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const part = await next(parts, signal, leaving.signal)
        if (part) controller.enqueue(part)
        else controller.close()
      } catch (error) {
        if (!leaving.signal.aborted) controller.error(error)
      }
    },
    cancel: () => leaving.abort()
  })
}

/** Throws the signal's reason. */
async function next(parts: Iterator<Part, void>, signal?: AbortSignal, leaving?: AbortSignal) {
  for (;;) {
    signal?.throwIfAborted()
    const { value, done } = parts.next()
    if (done || value === undefined) return undefined
    if (typeof value !== 'number') return value
    const signals = [signal, leaving].filter((it) => it !== undefined)
    const either = signals.length > 1 ? AbortSignal.any(signals) : signals[0]
    await delay(value, undefined, either && { signal: either }).catch(() => undefined)
    leaving?.throwIfAborted()
  }
}

async function generated(
  parts: Iterator<Part, void>,
  signal: AbortSignal | undefined
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  for (;;) {
    const part = await next(parts, signal)
    if (part?.type === 'error') throw part.error
    if (part?.type === 'text-start') content.push({ type: 'text', text: '' })
    if (part?.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' })
    if (part?.type === 'text-delta' || part?.type === 'reasoning-delta') {
      const last = content.at(-1)
      if (last?.type === 'text' || last?.type === 'reasoning') last.text += part.delta
    }
    if (part?.type === 'tool-call') content.push(part)
    if (part?.type === 'finish') {
      const { finishReason, usage } = part
      return { content, finishReason, usage, warnings: [] }
    }
    if (!part) throw new Error('The local model ended without a finish')
  }
}
