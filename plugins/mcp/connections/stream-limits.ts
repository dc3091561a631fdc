import { hasTurnTime, nextTurn, upstreamFailed } from 'agent-platform'
import type { Allowance } from './allowance.ts'
import { createFrames } from './frames.ts'

interface Limits {
  readonly allowance: Allowance
  /** Server-sent events; otherwise the whole is one message. */
  readonly isStream: boolean
  failed(error: unknown): void
  /** It came to its end; resumable where events had ids. */
  ended(resumable: boolean): void
}

/** Messages, and bytes of them, that are handed on before others have their turn. */
const SLICE = { messages: 8, bytes: 32_768 }

/**
 * The stream, in whole messages and a few of them in each turn of the event loop, until one is too large or there are
 * more of them than the server may send. What is not handed on yet is not read.
 */
export function limitStream(
  body: ReadableStream<Uint8Array> | null,
  { allowance, isStream, failed, ended }: Limits
): ReadableStream<Uint8Array> | null {
  if (!body) {
    ended(false)
    return null
  }
  const reader = body.getReader()
  const frames = createFrames(allowance.messageBytes, isStream ? 'emptyLine' : 'end')
  let waiting: Buffer[] = []
  const handed = { messages: 0, bytes: 0 }
  let resumable = false

  /** Undefined at the end. */
  async function next(): Promise<Buffer | undefined> {
    while (waiting.length === 0) {
      const { done, value } = await reader.read()
      if (done) return undefined
      allowance.bytes(value.byteLength)
      waiting = frames.take(value)
      if (isStream) allowance.messages(waiting.length)
    }
    if (handed.messages >= SLICE.messages || handed.bytes >= SLICE.bytes || !hasTurnTime()) {
      await nextTurn()
      handed.messages = handed.bytes = 0
    }
    const frame = waiting.shift() as Buffer
    handed.messages++
    handed.bytes += frame.byteLength
    return frame
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const frame = await next()
          if (frame) {
            resumable ||= isStream && hasId(frame)
            return controller.enqueue(frame)
          }
          // Of a stream that is an event which never ended: nothing.
          const rest = frames.rest()
          if (!isStream && isBatch(rest)) throw upstreamFailed('The server gave no valid reply')
          if (!isStream && rest.byteLength > 0) controller.enqueue(rest)
          ended(resumable)
          controller.close()
        } catch (error) {
          failed(error)
          controller.error(error)
          reader.cancel(error).catch(() => undefined)
        }
      },
      async cancel(reason) {
        await reader.cancel(reason)
      }
    },
    { highWaterMark: 0 }
  )
}

/** Several messages in one, which the protocol does not have and nothing counts. */
const isBatch = (json: Buffer): boolean => json.find((byte) => byte > 32 && byte < 128) === 91
const hasId = (event: Buffer): boolean => event.subarray(0, 3).toString() === 'id:' || event.includes('\nid:')
