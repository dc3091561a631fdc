import type { ModelReply, Words } from '../../sessions/contract.ts'
import type { CallRow, ReplyPart, StepRow } from '../stores/steps.ts'
import { clipped } from './clipped.ts'
import { toText } from './prompt-messages.ts'

/** Characters that the results of one run's calls may have together before each is cut to `SHORT`. */
const RESULTS = 2_000_000
const SHORT = 1_000

/**
 * What a run leaves in its session when it ends: what it said, what it called, what came of that, and its last words.
 * `reply` is the reply with those words, where it is known.
 */
export function keptMessages(
  steps: readonly StepRow[],
  last: string | null,
  reply?: ModelReply
): readonly Words[] {
  let room = RESULTS
  const kept = (output: unknown): string => {
    const text = toText(output)
    room -= text.length
    return room >= 0
      ? text
      : clipped(text, SHORT, (left) => `${left} of ${text.length} characters were not kept`)
  }
  return [
    ...steps.flatMap(({ reply, origin, calls }) => [
      {
        role: 'assistant' as const,
        content: reply.map((part) => (part.type === 'text' ? part.text : '')).join(''),
        toolCalls: calls.map(({ id, toolName, args }) => ({ callId: id, toolName, args: args ?? {} })),
        ...(origin !== null && { reply: { origin, parts: reply.map(withoutArguments) } })
      },
      ...calls.map((call) => ({
        role: 'tool' as const,
        callId: call.id,
        toolName: call.toolName,
        content: call.endedAt === null ? unfinished(call) : kept(call.output),
        isError: call.endedAt === null || call.isError === true
      }))
    ]),
    ...(last === null
      ? []
      : [{ role: 'assistant' as const, content: last, ...(isWanted(reply, steps) && { reply }) }])
  ]
}

/** The message has them, too. */
function withoutArguments(part: ReplyPart): object {
  if (part.type !== 'tool-call') return part
  const { type, toolCallId, providerOptions } = part
  return { type, toolCallId, ...(providerOptions && { providerOptions }) }
}

/** Models want back data of their own, and their thoughts in a turn that called tools. */
const isWanted = (reply: ModelReply | undefined, steps: readonly StepRow[]): boolean =>
  reply?.parts.some((part) => {
    const { type, providerOptions } = part as ReplyPart
    return providerOptions !== undefined || (type === 'reasoning' && steps.length > 0)
  }) === true

/** Of a run that ended before its call did. */
const unfinished = ({ callerDeadline, begun }: CallRow): string =>
  callerDeadline === null && begun
    ? 'The outcome of this call is unknown: the run ended while it was made'
    : 'The run ended before this call was answered'
