import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { markUntrusted } from 'agent-platform'
import type { MessageCall, ModelReply, Words } from '../../sessions/contract.ts'
import type { ReplyPart, StepRow } from '../stores/steps.ts'
import type { CallIds } from './call-ids.ts'
import { clipped } from './clipped.ts'
import { loopHint } from './loop-detection.ts'
import type { ImageParts } from './prompt-images.ts'

/** Characters that each result keeps at least when there is no room for all of them. */
const SHORT = 1_000
/** Share of a result that is kept each time it is cut. */
const KEPT = 0.75
/** Characters that say what was left out of a result. */
const NOTE = 100

/** For which model a prompt is made, and what its calls are named in it. */
interface For {
  readonly origin: string
  readonly ids: CallIds
}

/** What was said, as a provider takes it. Without tools there are no calls either: some refuse one without the other. */
export function promptOf(
  messages: readonly Words[],
  hasTools: boolean,
  images: ImageParts,
  to: For
): LanguageModelV4Message[] {
  return messages.map((words) => {
    const message = hasTools ? messageOf(words, to) : textOf(words)
    const parts = images.get(words)
    return parts && message.role === 'user'
      ? { ...message, content: [...parts, ...message.content] }
      : message
  })
}

const userOf = ({ content, untrusted }: Extract<Words, { role: 'user' }>) =>
  said('user', untrusted ? markUntrusted(content) : content)

function messageOf(words: Words, to: For): LanguageModelV4Message {
  const { role, content } = words
  if (role === 'user') return userOf(words)
  if (role === 'tool') {
    const { callId, toolName, isError } = words
    return { role, content: [resultOf(to.ids.result(callId), toolName, content, isError)] }
  }
  if (role !== 'assistant') return said(role, content)
  const { toolCalls = [] } = words
  const own = words.reply?.origin === to.origin ? expanded(words.reply, toolCalls) : undefined
  if (own) return { role, content: withIds(own, toolCalls, to.ids) }
  if (toolCalls.length === 0) return said(role, content)
  const calls = toolCalls.map(({ callId, toolName, args }) => ({
    type: 'tool-call' as const,
    toolCallId: to.ids.call(callId),
    toolName,
    input: args ?? {}
  }))
  return { role, content: [...textPart(content), ...calls] }
}

/** Providers refuse a text without a letter beside calls. */
const textPart = (text: string) => (text.trim() === '' ? [] : [{ type: 'text' as const, text }])

/** The parts of a reply that was kept; undefined where they do not fit the calls of its message. */
function expanded({ parts }: ModelReply, toolCalls: readonly MessageCall[]): ReplyPart[] | undefined {
  const calls = toolCalls.values()
  const whole = (parts as readonly ReplyPart[]).map((part) => {
    if (part.type !== 'tool-call') return part
    const { toolName = '', args } = calls.next().value ?? {}
    return { ...part, toolName, input: args ?? {} }
  })
  const count = whole.filter(({ type }) => type === 'tool-call').length
  return count === toolCalls.length && whole.length > 0 ? whole : undefined
}

/** The calls of a reply by IDs that are used once in a prompt, and no text without a letter. */
function withIds(
  parts: readonly ReplyPart[],
  calls: readonly { readonly callId: string }[],
  ids: CallIds
): ReplyPart[] {
  const own = calls.values()
  return parts.flatMap((part): ReplyPart[] => {
    if (part.type === 'text' && part.text.trim() === '' && !part.providerOptions) return []
    if (part.type !== 'tool-call') return [part]
    const callId = own.next().value?.callId ?? part.toolCallId
    return [{ ...part, toolCallId: ids.call(callId, part.toolCallId) }]
  })
}

function textOf(words: Words): LanguageModelV4Message {
  const { role, content } = words
  if (role === 'user') return userOf(words)
  if (role === 'tool') return said('assistant', `(${words.toolName} gave)\n${markUntrusted(content)}`)
  if (role !== 'assistant' || !words.toolCalls?.length) return said(role, content)
  const calls = words.toolCalls.map(
    ({ toolName, args }) => `(called ${toolName} with ${JSON.stringify(args)})`
  )
  return said(role, [...(content === '' ? [] : [content]), ...calls].join('\n'))
}

const said = (role: 'user' | 'assistant' | 'system', text: string): LanguageModelV4Message =>
  ({ role: role as 'user', content: [{ type: 'text', text }] }) satisfies LanguageModelV4Message

/** A step of the run itself, with all that its reply held: `outputs` as there is room for them. */
export function stepMessages(
  { reply, origin, calls }: StepRow,
  outputs: ReadonlyMap<string, string>,
  to: For
): LanguageModelV4Message[] {
  const own = calls.map(({ id: callId }) => ({ callId }))
  const content =
    origin === to.origin ? withIds(reply, own, to.ids) : withIds(reply.flatMap(foreign), own, to.ids)
  const results = calls.map(({ id, toolName, isError, failures }) =>
    resultOf(to.ids.result(id), toolName, outputs.get(id) ?? '', isError === true, failures)
  )
  return [
    { role: 'assistant', content },
    { role: 'tool', content: results }
  ]
}

/** A part of another model's reply: without thoughts, and without data and IDs that only that model knows. */
function foreign(part: ReplyPart): ReplyPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type !== 'tool-call') return []
  const { type, toolName, input } = part
  return [{ type, toolCallId: '', toolName, input }]
}

/**
 * What calls gave, as text. If all of it is more than `characters`, results are cut until it fits: those of the earliest
 * step first and of one step the longest, each by a quarter at a time. Prompts of later steps begin alike then.
 */
export function outputsOf(steps: readonly StepRow[], characters: number): ReadonlyMap<string, string> {
  const texts = new Map(steps.flatMap(({ calls }) => calls.map(({ id, output }) => [id, toText(output)])))
  let excess = -characters
  for (const text of texts.values()) excess += text.length
  for (const { calls } of steps) {
    if (excess <= 0) break
    const rooms = new Map(calls.map(({ id }) => [id, texts.get(id)?.length ?? 0]))
    excess -= shorten(rooms, excess)
    for (const [id, room] of rooms) {
      const text = texts.get(id) ?? ''
      texts.set(
        id,
        clipped(
          text,
          room,
          (left) =>
            `${left} of ${text.length} characters of the result ${id} are left out; read_result reads them`
        )
      )
    }
  }
  return texts
}

/**
 * Shortens the longest results until enough characters are removed or none is longer than `SHORT`.
 *
 * @returns the number of characters removed
 */
function shorten(rooms: Map<string, number>, excess: number): number {
  const isCut = new Set<string>()
  let taken = 0
  while (taken < excess) {
    const [id, room] = [...rooms].reduce((one, other) => (other[1] > one[1] ? other : one))
    if (room <= SHORT + NOTE) break
    const left = Math.max(Math.floor(room * KEPT), SHORT)
    rooms.set(id, left)
    taken += room - left - (isCut.has(id) ? 0 : NOTE)
    isCut.add(id)
  }
  return taken
}

/** What a call gave, as it stands in a prompt. */
export const toText = (output: unknown): string =>
  typeof output === 'string' ? output : JSON.stringify(output ?? null)

function resultOf(toolCallId: string, toolName: string, output: string, isError: boolean, failures?: number) {
  const text = markUntrusted(output) + (failures === undefined ? '' : loopHint(failures))
  const value = { type: isError ? ('error-text' as const) : ('text' as const), value: text }
  return { type: 'tool-result' as const, toolCallId, toolName, output: value }
}
