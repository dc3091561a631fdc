import { upstreamFailed } from 'agent-platform'

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const COMMA = 44
const BRACKET = 91
const BACKSLASH = 92
const BRACE = 123

/** Values and lines of one message: parsing more would hold the event loop for too long. */
const MOST_VALUES = 65_536

/** What a message ends with: a line, an empty line (server-sent events), or the whole. */
export type End = 'line' | 'emptyLine' | 'end'

/**
 * Cuts what a server sends into whole messages, each of which is looked at once, in whatever pieces it comes. Throws
 * a 502, code `reply_too_large`, as soon as one has more bytes or more values than it may.
 */
export function createFrames(messageBytes: number, end: End) {
  let pieces: Uint8Array[] = []
  let size = 0
  let values = 0
  let isInString = false
  let isEscaped = false
  let isEmptyLine = true
  let wasReturn = false

  function keep(piece: Uint8Array) {
    size += piece.byteLength
    if (size > messageBytes) throw tooLarge(`${messageBytes} bytes`)
    if (piece.byteLength > 0) pieces.push(piece)
  }

  function cut(): Buffer {
    const frame = Buffer.concat(pieces)
    pieces = []
    size = 0
    values = 0
    return frame
  }

  /** JSON has no line's end within a string, so that each line begins outside of one. */
  function look(byte: number) {
    if (isInString) {
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) isInString = false
      return
    }
    if (byte === QUOTE) isInString = true
    else if (byte !== COMMA && byte !== BRACE && byte !== BRACKET) return
    if (++values > MOST_VALUES) throw tooLarge(`${MOST_VALUES} values`)
  }

  /** True where a message ends. */
  function endLine(): boolean {
    const isEnd = end === 'line' || (end === 'emptyLine' && isEmptyLine)
    isInString = false
    isEscaped = false
    isEmptyLine = true
    if (++values > MOST_VALUES) throw tooLarge(`${MOST_VALUES} lines`)
    return isEnd
  }

  return {
    /** The messages that are whole with this chunk. */
    take(chunk: Uint8Array): Buffer[] {
      const whole: Buffer[] = []
      let from = 0
      for (let at = 0; at < chunk.byteLength; at++) {
        const byte = chunk[at] as number
        if (byte === NEWLINE) {
          wasReturn = false
          if (!endLine()) continue
          keep(chunk.subarray(from, at + 1))
          whole.push(cut())
          from = at + 1
          continue
        }
        // A line's end by itself in old texts, and in nothing that a tool server writes.
        if (wasReturn && end === 'emptyLine') throw upstreamFailed('The server gave no valid reply')
        wasReturn = byte === RETURN
        if (!wasReturn) {
          isEmptyLine = false
          look(byte)
        }
      }
      keep(chunk.subarray(from))
      return whole
    },

    /** What came after the last whole message. */
    rest: cut
  }
}

const tooLarge = (most: string) =>
  upstreamFailed(`A message of the server is larger than ${most}`, { code: 'reply_too_large' })
