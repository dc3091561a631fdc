import { createParser } from 'eventsource-parser'
import { StreamError } from './errors.ts'

/** What every event has; `keepalive`, sent while there is nothing to say, repeats the last `seq`. */
export interface Frame {
  readonly type: string
  readonly seq: number
}

/** Longer than any event. */
const LONGEST_FRAME = 32_000_000

/** What is no event is not quoted. */
function frameOf(data: string): Frame {
  try {
    const frame = JSON.parse(data) as Frame
    if (typeof frame.type === 'string' && Number.isSafeInteger(frame.seq)) return frame
  } catch {
    // Said below, as of what is JSON and no event.
  }
  throw new StreamError('The stream holds what is no event')
}

/** One connection's stream of events. */
export interface Frames {
  /** The next frames, all that came at once together; undefined at the end. Rejects when the connection breaks. */
  read(): Promise<readonly Frame[] | undefined>
  close(): void
}

/** A connection may be dead without saying so; a live one brings a keepalive every 15 seconds. */
export function createFrames(body: ReadableStream<Uint8Array>, silenceMs: number): Frames {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let frames: Frame[] = []
  const parser = createParser({ onEvent: ({ data }) => frames.push(frameOf(data)) })
  /** Characters since the last frame. */
  let pending = 0
  let asked = Number.POSITIVE_INFINITY
  let isSilent = false

  const watch = setInterval(() => {
    if (performance.now() - asked < silenceMs) return
    isSilent = true
    close()
  }, silenceMs / 4)

  function close() {
    clearInterval(watch)
    // Ends a read that waits. Of a stream that broke it rejects with what broke it.
    reader.cancel().catch(() => undefined)
  }

  async function read() {
    for (;;) {
      asked = performance.now()
      const { done, value } = await reader.read()
      asked = Number.POSITIVE_INFINITY
      if (isSilent) throw new Error(`nothing came for ${silenceMs / 1000} seconds`)
      if (done) return undefined
      const text = decoder.decode(value, { stream: true })
      parser.feed(text)
      if (frames.length > 0) pending = 0
      else if ((pending += text.length) > LONGEST_FRAME)
        throw new StreamError('The stream has no end of a line')
      if (frames.length === 0) continue
      const came = frames
      frames = []
      return came
    }
  }

  return { read, close }
}
