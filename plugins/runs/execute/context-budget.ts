import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Model } from '../../models/contract.ts'
import type { Words } from '../../sessions/contract.ts'
import type { RunSettings } from '../settings.ts'
import type { CallRow, StepRow } from '../stores/steps.ts'
import { CHARACTERS_PER_TOKEN, IMAGE_TOKENS, MESSAGE_TOKENS, tokensIn } from './token-estimate.ts'

export { CHARACTERS_PER_TOKEN } from './token-estimate.ts'

/** Tokens of a window that nobody knows. */
const UNKNOWN_WINDOW = 32_000
/** Of a window, what is left for a reply of unknown length, within these. */
const REPLY_SHARE = 1 / 8
const REPLY_TOKENS = [4_096, 32_000] as const

/** How many tokens a prompt can have. */
export interface Budget {
  /** Of a prompt with the definitions of its tools, in tokens as they are estimated here. */
  readonly tokens: number
  /** The window that it is a part of, in tokens of the model. */
  readonly window: number
  /** What the window is limited by. */
  readonly limit: 'model' | 'setting' | 'unknown' | 'rejection'
}

/** What was learned of a model from its provider. */
export interface Learned {
  /** The window, as it was reported with a rejection. */
  readonly window?: number
  /** A prompt of so many estimated tokens was refused, or nearly so. */
  readonly most?: number
  /** Tokens that the provider counts, for each that was estimated. */
  readonly ratio: number
}

type Sizes = Pick<Model, 'contextTokens' | 'outputTokens'>

/** The budget of a prompt: its share of the window of the model, less a reserve for the reply. */
export function budgetFor(
  { contextTokens: set }: Pick<RunSettings, 'contextTokens'>,
  { contextTokens, outputTokens }: Sizes,
  maxTokens: number | null,
  { window: reported, most = Number.POSITIVE_INFINITY, ratio }: Learned = { ratio: 1 }
): Budget {
  const known = Math.min(
    contextTokens ?? Number.POSITIVE_INFINITY,
    reported ?? Number.POSITIVE_INFINITY,
    set ?? Number.POSITIVE_INFINITY
  )
  const window = known === Number.POSITIVE_INFINITY ? UNKNOWN_WINDOW : known
  const usual = Math.min(Math.max(window * REPLY_SHARE, REPLY_TOKENS[0]), REPLY_TOKENS[1])
  const reply = Math.min(maxTokens ?? usual, outputTokens ?? Number.POSITIVE_INFINITY, window / 2)
  const tokens = Math.floor((window - reply) / ratio)
  const limit =
    most < tokens || reported === known
      ? 'rejection'
      : set === known
        ? 'setting'
        : contextTokens === known
          ? 'model'
          : 'unknown'
  return { tokens: Math.min(tokens, most), window, limit }
}

/** Characters of a text that fit into so many tokens, whatever it is written in. */
export const charactersIn = (tokens: number): number => Math.floor(tokens * CHARACTERS_PER_TOKEN)

/** Where a budget comes from, for the reader of an error. */
export const describeBudget = ({ window, limit }: Budget): string =>
  limit === 'setting'
    ? `RUN_CONTEXT_TOKENS allows ${window} tokens for a prompt and its response`
    : limit === 'unknown'
      ? `The context window of the model is not known, and ${window} tokens are assumed. Set RUN_CONTEXT_TOKENS, or the size of the model.`
      : limit === 'rejection'
        ? 'The provider rejected a longer prompt for this model'
        : `The context window of the model is ${window} tokens`

/** What an image counts, in characters: for packs that fill a room of characters. */
export const IMAGE_CHARACTERS = IMAGE_TOKENS * CHARACTERS_PER_TOKEN

const counted = new WeakMap<object, number>()
/** Counted once for each object: what was said does not change. */
function once<T extends object>(it: T, count: (it: T) => number): number {
  const known = counted.get(it)
  if (known !== undefined) return known
  const tokens = count(it)
  counted.set(it, tokens)
  return tokens
}

const jsonTokens = (value: unknown) => tokensIn(JSON.stringify(value ?? null))

/** Tokens of a message in a prompt, estimated. */
export const tokensOf = (words: Words): number => once(words, countWords)

const countWords = (words: Words): number =>
  MESSAGE_TOKENS +
  tokensIn(words.content) +
  (words.role === 'user' ? (words.attachments?.length ?? 0) * IMAGE_TOKENS : 0) +
  (words.role === 'assistant' && words.toolCalls?.length ? jsonTokens(words.toolCalls) : 0) +
  (words.role === 'assistant' && words.reply ? jsonTokens(words.reply.parts.filter(isHidden)) : 0)

/** Whether a part is in a prompt beside what the message says. */
const isHidden = (part: object) => 'providerOptions' in part || ('type' in part && part.type === 'reasoning')

/** Characters of a prompt, as far as they count. */
export const lengthOfPrompt = (prompt: LanguageModelV4Prompt): number =>
  prompt.reduce(
    (sum, { content }) =>
      typeof content === 'string'
        ? sum + content.length
        : content.reduce((part, it) => part + lengthOfPart(it), sum),
    0
  )

type Part = Exclude<LanguageModelV4Prompt[number]['content'], string>[number]
function lengthOfPart(part: Part): number {
  if (part.type === 'text' || part.type === 'reasoning') return part.text.length
  if (part.type === 'tool-call') return JSON.stringify(part.input ?? null).length
  if (part.type === 'tool-result') return JSON.stringify(part.output).length
  return part.type === 'file' ? IMAGE_CHARACTERS : 0
}

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>

/** Tokens of a request as it is sent, estimated: its prompt, and the definitions of its tools. */
export const tokensOfRequest = (prompt: LanguageModelV4Prompt, tools: Tools = []): number =>
  prompt.reduce(
    (sum, { content }) =>
      MESSAGE_TOKENS +
      (typeof content === 'string'
        ? sum + tokensIn(content)
        : content.reduce((part, it) => part + tokensOfPart(it), sum)),
    tokensOfTools(tools)
  )

export const tokensOfTools = (tools: Tools): number => (tools.length > 0 ? jsonTokens(tools) : 0)

/** A part of a reply is kept with its step, and counted once. */
export const tokensOfPart = (part: Part): number => {
  if (part.type === 'text') return tokensIn(part.text)
  if (part.type === 'file') return IMAGE_TOKENS
  if (part.type === 'tool-result') return jsonTokens(part.output)
  return once(part, jsonTokens)
}

/** Tokens of what a call gave; counted once it has ended. */
export const tokensOfOutput = (call: Pick<CallRow, 'output' | 'endedAt'>): number =>
  call.endedAt === null ? countOutput(call) : once(call, countOutput)

const countOutput = ({ output }: Pick<CallRow, 'output'>): number =>
  typeof output === 'string' ? tokensIn(output) : jsonTokens(output)

/** Tokens of what a model said and called in a step. */
export const tokensOfReply = ({ reply, calls }: Pick<StepRow, 'reply' | 'calls'>): number =>
  reply.reduce((sum, part) => sum + tokensOfPart(part), MESSAGE_TOKENS * (1 + calls.length))

/**
 * The newest that fit, a call and what came of it together, the last message in any case. They begin with a message of
 * the user, as most vendors demand: what stands before the first one is left out.
 */
export function newestOf(messages: readonly Words[], tokens: number): readonly Words[] {
  let room = tokens
  let kept = messages.length
  for (let at = messages.length - 1, size = 0; at >= 0; at--) {
    const words = messages[at] as Words
    size += tokensOf(words)
    // Its call stands before it.
    if (words.role === 'tool') continue
    room -= size
    size = 0
    if (room < 0 && kept < messages.length) break
    kept = at
  }
  return fromUser(messages, kept)
}

/** From there on, beginning with the user: with the message before that the rest answers, where no other one follows. */
export function fromUser(messages: readonly Words[], from: number): readonly Words[] {
  const next = messages.findIndex(({ role }, at) => at >= from && role === 'user')
  if (next >= 0) return messages.slice(next)
  const before = messages.findLast(({ role }, at) => at < from && role === 'user')
  return before ? [before, ...messages.slice(from)] : messages.slice(from)
}
