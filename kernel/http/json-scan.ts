import { randomBytes } from 'node:crypto'
import { invalid, tooLarge } from '../contract/errors.ts'

/** No walk over a value, and no database, runs out of stack before. */
export const MAX_DEPTH = 500

const limit = { values: 120_000 }

/** Sets the maximum number of values in a JSON text, for this process; each name counts as `OF_NAME` of them, once. */
export function limitJson(values: number): void {
  limit.values = values
}

/** Whether a text of so many bytes cannot have too many names and values: each takes one byte, and a separator. */
export const isSmall = (bytes: number): boolean => bytes <= limit.values

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const SPACE = 0x20
/** Names are told apart by a hash (FNV-1a) that nobody outside can predict. */
const SEED = randomBytes(4).readInt32LE()
const PRIME = 0x01000193
/** So many bytes of a text are read one by one, from its beginning or an escape; then its end is searched for. */
const NEAR = 64
/** Cost of a name, in values: the engine keeps a table of all names. */
const OF_NAME = 2

/**
 * Counts what a JSON text costs to parse, before it is parsed: each value, and each short name once, since names that repeat
 * cost little. Takes the bytes in pieces, so that no turn of the event loop is long. Throws 413 `json_too_many_values` for more than
 * the limit, 400 for one nested too deeply. Text that is no JSON is left to the parser.
 */
export function createScan(): (bytes: Uint8Array) => void {
  const most = limit.values
  const names = new Set<number>()
  let longNames = 0
  let values = 0
  let depth = 0
  let isText = false
  let isEscaped = false
  /** Inside a number, `true`, `false` or `null`. */
  let isWord = false
  let hash = SEED
  /** Bytes of the text that were read since its beginning or an escape. */
  let read = 0
  let isLong = false

  return (bytes) => {
    const find = createFind(bytes)
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (isText) {
        if (isEscaped) {
          isEscaped = false
          read = 0
        } else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
        else if (++read > NEAR) {
          isLong = true
          at = find(at) - 1
        }
        hash = Math.imul(hash ^ byte, PRIME)
        continue
      }
      const wasWord = isWord
      isWord = false
      if (byte === QUOTE) {
        isText = true
        hash = SEED
        read = 0
        isLong = false
        values++
      } else if (byte === COLON) {
        // The text before it was no value.
        values--
        if (isLong) longNames++
        else names.add(hash >>> 2)
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        values++
        if (++depth > MAX_DEPTH) throw tooDeep()
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
      else if (byte !== COMMA && byte > SPACE) {
        isWord = true
        if (!wasWord) values++
      }
      if (values + OF_NAME * (names.size + longNames) > most) throw tooMany(most)
    }
  }
}

/** Where the next quote or backslash from there stands, or the end; in all, each byte is looked at a few times at most. */
function createFind(bytes: Uint8Array): (from: number) => number {
  const next = (byte: number, from: number) => {
    const at = bytes.indexOf(byte, from)
    return at < 0 ? bytes.length : at
  }
  let quote = -1
  let backslash = -1
  return (from) => {
    if (quote < from) quote = next(QUOTE, from)
    if (backslash < from) backslash = next(BACKSLASH, from)
    return Math.min(quote, backslash)
  }
}

export const tooDeep = () => invalid('', `The body is nested more than ${MAX_DEPTH} levels deep`)
const tooMany = (most: number) =>
  tooLarge(
    `The body has more than ${most} values (JSON_MAX_VALUES); each distinct name counts as ${OF_NAME}. Send it in several requests.`,
    { code: 'json_too_many_values', headers: { connection: 'close' } }
  )
