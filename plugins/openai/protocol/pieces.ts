import type { StreamEvent } from 'agent-platform'
import type { FinishReason, Usage } from '../../runs/contract.ts'

/** What a run says, as far as this protocol has words for it. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** The text so far does not count: the answer begins anew. */
  | { readonly kind: 'restart' }
  /** The text so far was said on the way, before calls. */
  | { readonly kind: 'aside' }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly args: string }
  | { readonly kind: 'end'; readonly end: End }

export type End =
  | {
      readonly status: 'completed'
      readonly content: string
      readonly finishReason: FinishReason
      readonly usage: Usage
    }
  /** It goes on with what the client's own tools gave. */
  | { readonly status: 'calls' }
  | { readonly status: 'failed'; readonly message: string; readonly code: string }
  | { readonly status: 'cancelled' }

const none: readonly Piece[] = []

/** Reads the events of a run, each once and in order. What the agent does by itself is not told: its own calls. */
export function createPieces() {
  /** Text since the last step ended. */
  let hasText = false
  /** Calls of the client's that were asked for and not answered. */
  const open = new Set<string>()

  return (event: StreamEvent): readonly Piece[] => {
    switch (event.type) {
      case 'token':
        if (event.content === '') return none
        if (event.phase === 'commentary') return [{ kind: 'reasoning', text: event.content as string }]
        if (event.phase !== 'final_answer') return none
        hasText = true
        return [{ kind: 'text', text: event.content as string }]
      case 'cli_tool_request': {
        const { callId, toolName, args } = event as unknown as {
          callId: string
          toolName: string
          args: unknown
        }
        open.add(callId)
        return [{ kind: 'call', callId, name: toolName, args: JSON.stringify(args ?? {}) }]
      }
      case 'toolEnd':
        open.delete(event.callId as string)
        return none
      case 'status': {
        const { status } = event
        if (status === 'waiting') return open.size > 0 ? [{ kind: 'end', end: { status: 'calls' } }] : none
        if ((status !== 'restarted' && status !== 'commentary') || !hasText) return none
        hasText = false
        return [{ kind: status === 'restarted' ? 'restart' : 'aside' }]
      }
      case 'final':
        return [
          {
            kind: 'end',
            end: {
              status: 'completed',
              content: event.content as string,
              finishReason: (event.finishReason ?? 'stop') as FinishReason,
              usage: event.usage as Usage
            }
          }
        ]
      case 'error': {
        const { message, code } = event as unknown as { message: string; code: string }
        return [{ kind: 'end', end: { status: 'failed', message, code } }]
      }
      case 'cancelled':
        return [{ kind: 'end', end: { status: 'cancelled' } }]
      default:
        return none
    }
  }
}
