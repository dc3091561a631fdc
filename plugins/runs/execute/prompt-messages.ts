import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { markUntrusted } from 'agent-platform'
import type { Words } from '../../sessions/contract.ts'
import type { StepRow } from '../stores/steps.ts'
import type { ImageParts } from './prompt-images.ts'
import { cleanText } from './sanitize.ts'

/** Characters that the results of early calls keep when there is no room for all of them. */
const SHORT = 1_000

/** What was said, as a provider takes it. Without tools there are no calls either: some refuse one without the other. */
export function promptOf(
  messages: readonly Words[],
  hasTools: boolean,
  images: ImageParts
): LanguageModelV4Message[] {
  return messages.map((words) => {
    const message = hasTools ? messageOf(words) : textOf(words)
    const parts = images.get(words)
    return parts && message.role === 'user'
      ? { ...message, content: [...parts, ...message.content] }
      : message
  })
}

function messageOf(words: Words): LanguageModelV4Message {
  const { role, content } = words
  if (role === 'user') return said(role, words.untrusted ? markUntrusted(content) : content)
  if (role === 'tool') {
    const { callId, toolName, isError } = words
    return { role, content: [resultOf(callId, toolName, content, isError)] }
  }
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }]
  if (role !== 'assistant' || !words.toolCalls?.length) return said(role, content)
  const calls = words.toolCalls.map(({ callId, toolName, args }) => ({
    type: 'tool-call' as const,
    toolCallId: callId,
    toolName,
    input: args ?? {}
  }))
  return { role, content: [...text, ...calls] }
}

function textOf(words: Words): LanguageModelV4Message {
  const { role, content } = words
  if (role === 'user') return messageOf(words)
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
  { reply, calls }: StepRow,
  outputs: ReadonlyMap<string, string>
): LanguageModelV4Message[] {
  const results = calls.map(({ id, modelCallId, toolName, isError }) =>
    resultOf(modelCallId, toolName, outputs.get(id) ?? '', isError === true)
  )
  return [
    { role: 'assistant', content: [...reply] },
    { role: 'tool', content: results }
  ]
}

/** What calls gave, as text: the earliest cut first, and saying so, where all of it is more than `characters`. */
export function outputsOf(steps: readonly StepRow[], characters: number): ReadonlyMap<string, string> {
  const texts = new Map(steps.flatMap(({ calls }) => calls.map(({ id, output }) => [id, toText(output)])))
  let excess = -characters
  for (const text of texts.values()) excess += text.length
  for (const [id, text] of texts) {
    if (excess <= 0) break
    const left = text.length - SHORT
    if (left <= 0) continue
    texts.set(id, `${cleanText(text.slice(0, SHORT))}\n[${left} characters more are left out]`)
    excess -= left
  }
  return texts
}

/** What a call gave, as it stands in a prompt. */
export const toText = (output: unknown): string =>
  typeof output === 'string' ? output : JSON.stringify(output ?? null)

function resultOf(toolCallId: string, toolName: string, output: string, isError: boolean) {
  const value = { type: isError ? ('error-text' as const) : ('text' as const), value: markUntrusted(output) }
  return { type: 'tool-result' as const, toolCallId, toolName, output: value }
}
