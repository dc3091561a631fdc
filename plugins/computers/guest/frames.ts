// What goes between the platform and a computer, both ways, on one connection. Neither end believes the other more than it must:
// a frame is capped, and one that cannot be read ends the connection.

/** One message: of which channel, what it is, and its bytes. */
export interface Frame {
  readonly channel: number
  readonly kind: number
  readonly body: Buffer
}

/** To a computer: begins a channel by an order, as JSON; more input of it; its end; a signal, by name. */
export const OPEN = 1
export const INPUT = 2
export const INPUT_END = 3
export const SIGNAL = 4
/** What it says is not to come for now; it may go on; its terminal has another size, as JSON; is it still there. */
export const PAUSE = 5
export const RESUME = 6
export const RESIZE = 7
export const PING = 8
/** From a computer: what was written to standard output, or the content that was asked for; to standard error; the end, as JSON; it is. */
export const OUTPUT = 11
export const ERROR_OUTPUT = 12
export const END = 13
export const PONG = 14
/** Of a connection to the proxy, where frames are the way out; its channels are counted apart. From a computer: it begins. */
export const DIAL = 21
/** Both ways: its bytes; no more of them come; it is over; the other end may send so many bytes more. */
export const DATA = 22
export const DATA_END = 23
export const HANG_UP = 24
export const CREDIT = 25

const HEAD = 9
/** Bytes of a frame's body. */
export const MOST = 262_144

export function encode(channel: number, kind: number, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(HEAD + body.length)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt8(kind, 4)
  frame.writeUInt32BE(channel, 5)
  frame.set(body, HEAD)
  return frame
}

export const encodeJson = (channel: number, kind: number, value: unknown): Buffer =>
  encode(channel, kind, Buffer.from(JSON.stringify(value)))

/** Bytes as frames of at most what one may have. */
export function* split(channel: number, kind: number, bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += MOST) yield encode(channel, kind, bytes.subarray(at, at + MOST))
}

/** Takes bytes as they come, and gives the frames that are whole; throws at one that is too long. */
export function createDecoder(): (bytes: Buffer) => Frame[] {
  let parts: Buffer[] = []
  let size = 0
  return (bytes) => {
    parts.push(bytes)
    size += bytes.length
    const frames: Frame[] = []
    let all: Buffer | undefined
    let at = 0
    while (size - at >= HEAD) {
      all ??= parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
      const length = all.readUInt32BE(at)
      if (length > MOST) throw new Error('A frame is too long')
      const end = at + HEAD + length
      if (end > size) break
      frames.push({
        kind: all.readUInt8(at + 4),
        channel: all.readUInt32BE(at + 5),
        body: all.subarray(at + HEAD, end)
      })
      at = end
    }
    if (all) parts = at < size ? [all.subarray(at)] : []
    size -= at
    return frames
  }
}
