import type { StreamEvent, View } from 'agent-platform'
import type { Usage } from '../../runs/contract.ts'
import { errorOf } from './failures.ts'
import type { End, Piece } from './pieces.ts'
import { createPieces } from './pieces.ts'
import { chatUsage } from './usage.ts'

interface Shown {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly metadata: object
  readonly stored: boolean
}

interface Call {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}
const callOf = ({ callId, name, args }: Extract<Piece, { kind: 'call' }>): Call => ({
  id: callId,
  type: 'function',
  function: { name, arguments: args }
})

function finishReasonOf(end: End): string {
  if (end.status === 'calls') return 'tool_calls'
  const isCut = end.status === 'completed' && cutReasons.has(end.finishReason)
  return isCut ? end.finishReason : 'stop'
}
const cutReasons: ReadonlySet<string> = new Set(['length', 'content_filter'])

/** What a completion has come to. */
export interface Completion {
  readonly end: End
  /** What was said before calls of the client's. */
  readonly said: string
  readonly calls: readonly Call[]
  readonly reasoning: string
}

/** Adds up what is told; undefined until the end. */
export function createCollector() {
  const read = createPieces()
  let said = ''
  let reasoning = ''
  const calls: Call[] = []
  return (event: StreamEvent): Completion | undefined => {
    for (const piece of read(event)) {
      if (piece.kind === 'text') said += piece.text
      else if (piece.kind === 'reasoning') reasoning += piece.text
      else if (piece.kind === 'restart') {
        said = ''
        reasoning = ''
      } else if (piece.kind === 'call') calls.push(callOf(piece))
      else if (piece.kind === 'end') return { end: piece.end, said, calls, reasoning }
      // What was said ahead of the agent's own calls is no part of the answer; ahead of the client's it is all there is.
      else said = `${said.trimEnd()}\n\n`
    }
    return undefined
  }
}

/** A completion that was asked for without a stream. */
export function completionOf(
  { id, created, model, metadata, stored }: Shown,
  { end, said, calls, reasoning }: Completion,
  usage: Usage,
  withReasoning = false
) {
  const content = end.status === 'completed' ? end.content : said.trim() || null
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          annotations: [],
          ...(withReasoning && reasoning !== '' && { reasoning_content: reasoning }),
          ...(calls.length > 0 && { tool_calls: calls })
        },
        logprobs: null,
        finish_reason: finishReasonOf(end)
      }
    ],
    usage: chatUsage(usage),
    service_tier: 'default',
    system_fingerprint: null,
    ...(stored && { metadata })
  }
}

/** The chunks of a completion. Text that was sent is not taken back: where it does not count any more, the stream ends with an error. */
export function chatView(
  { id, created, model }: Shown,
  {
    withUsage,
    withReasoning = false,
    ended
  }: { withUsage: boolean; withReasoning?: boolean; ended: (end: End, seq: number) => Promise<Usage> }
): View {
  const read = createPieces()
  let begun = false
  let calls = 0
  let isOver = false
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: null,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(withUsage && { usage: null })
  })
  const role = () => {
    if (begun) return {}
    begun = true
    return { role: 'assistant', refusal: null }
  }
  const failed = (message: string, code: string) => {
    isOver = true
    return [{ error: errorOf(code, message) }]
  }

  async function framesOf(piece: Piece, seq: number): Promise<readonly object[]> {
    switch (piece.kind) {
      case 'text':
        return [chunk({ ...role(), content: piece.text })]
      case 'reasoning':
        return withReasoning ? [chunk({ ...role(), reasoning_content: piece.text })] : []
      case 'aside':
        return [chunk({ ...role(), content: '\n\n' })]
      case 'restart':
        await ended({ status: 'cancelled' }, seq)
        return failed('The answer began anew, and what was sent of it does not count', 'restarted')
      case 'call': {
        const call = callOf(piece)
        return [chunk({ ...role(), tool_calls: [{ index: calls++, ...call }] })]
      }
      case 'end':
        return last(piece.end, seq)
    }
  }

  async function last(end: End, seq: number): Promise<readonly object[]> {
    const usage = await ended(end, seq)
    if (end.status === 'failed') return failed(end.message, end.code)
    if (end.status === 'cancelled') return failed('The run was cancelled', 'run_cancelled')
    isOver = true
    const frames: object[] = [chunk(begun ? {} : { ...role(), content: '' }, finishReasonOf(end))]
    if (withUsage) frames.push({ ...chunk({}), choices: [], usage: chatUsage(usage) })
    return frames
  }

  return {
    async show(event) {
      const frames: object[] = []
      for (const piece of read(event)) if (!isOver) frames.push(...(await framesOf(piece, event.seq)))
      return frames
    },
    isLast: () => isOver,
    end: '[DONE]'
  }
}
