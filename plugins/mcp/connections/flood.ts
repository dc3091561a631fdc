import { upstreamFailed } from 'agent-platform'

interface Limits {
  readonly messageBytes: number
  /** Server-sent events; otherwise the whole is one message. */
  readonly isStream: boolean
  failed(error: unknown): void
  /** It came to its end; resumable where events had ids. */
  ended(resumable: boolean): void
}

/** Messages of the greatest size that a stream may hold at once, and how much more it may each second. */
const BURST = 4
const REFILL = 0.25

/** The stream, until one of its messages is too large, or it brings more than anybody would read. */
export function guardStream(
  body: ReadableStream<Uint8Array> | null,
  { messageBytes, isStream, failed, ended }: Limits
): ReadableStream<Uint8Array> | null {
  if (!body) {
    ended(false)
    return null
  }
  const reader = body.getReader()
  const meter = createMeter(messageBytes)
  let resumable = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            ended(resumable)
            return controller.close()
          }
          meter.take(value, isStream)
          resumable ||= isStream && hasId(value)
          controller.enqueue(value)
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

const NEWLINE = 10

/** Counts what a server sends; throws when it is too much. Messages end with a line, or with an empty one. */
export function createMeter(messageBytes: number) {
  let message = 0
  let last = 0
  let budget = BURST * messageBytes
  let since = performance.now()

  return {
    take(chunk: Uint8Array, endsWithEmptyLine: boolean) {
      const now = performance.now()
      budget = Math.min(budget + ((now - since) / 1_000) * REFILL * messageBytes, BURST * messageBytes)
      since = now
      budget -= chunk.byteLength
      if (budget < 0) throw upstreamFailed('The server sends more than it may', { code: 'flooded' })
      const end = endsWithEmptyLine ? endOfEvents(chunk, last) : chunk.lastIndexOf(NEWLINE) + 1
      message = end > 0 ? chunk.byteLength - end : message + chunk.byteLength
      if (message > messageBytes || chunk.byteLength > messageBytes)
        throw upstreamFailed(`A message of the server is larger than ${messageBytes} bytes`, {
          code: 'reply_too_large'
        })
      last = chunk.at(-1) ?? last
    }
  }
}

/** Where the last empty line ends, 0 where there is none; a carriage return before a line's end does not count. */
function endOfEvents(chunk: Uint8Array, before: number): number {
  for (
    let end = chunk.lastIndexOf(NEWLINE);
    end >= 0;
    end = end > 0 ? chunk.lastIndexOf(NEWLINE, end - 1) : -1
  ) {
    const previous = chunk[end - 1] === 13 ? end - 2 : end - 1
    if ((previous >= 0 ? chunk[previous] : before) === NEWLINE) return end + 1
  }
  return 0
}

const ID = Buffer.from('id:')
function hasId(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  for (let at = bytes.indexOf(ID); at >= 0; at = bytes.indexOf(ID, at + 1))
    if (at === 0 || bytes[at - 1] === NEWLINE) return true
  return false
}
