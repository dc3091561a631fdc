import type { Change, Decoded } from './decoded.ts'
import { startDecoding } from './decoded.ts'
import type { Pieces } from './pieces.ts'
import { PIECE } from './pieces.ts'

/** Stands for all of JSON that is neither text nor a number. Of no text does it mean anything. */
const SEPARATOR = 0xffff
const [QUOTE, BACKSLASH, MINUS] = [0x22, 0x5c, 0x2d]
const NUMBER = /[-+.\deE]+/y
const NUL = 0
const BREAKS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: NUL, f: NUL }

export interface DecodedJson extends Decoded {
  /** Control characters are left out, half a character is replaced. */
  readonly faults: readonly Change[]
  /** Where numbers begin; what lies in a number is all of it. */
  readonly numbers: ReadonlySet<number>
}

const isControl = (unit: number): boolean =>
  unit < 0x20 ? unit !== 9 && unit !== 10 && unit !== 13 : unit >= 0x7f && unit < 0xa0

/** The names, texts and numbers of JSON as they are without its escapes, each by itself; as `JSON.stringify` makes it. */
export function* withoutJson(json: string): Pieces<DecodedJson> {
  const { put, end } = startDecoding(json.length)
  const faults: Change[] = []
  const numbers = new Set<number>()
  let isText = false
  for (let at = 0; at < json.length; yield)
    for (const to = Math.min(at + PIECE, json.length); at < to; ) {
      const unit = json.charCodeAt(at)
      const from = at++
      if (unit === QUOTE) {
        isText = !isText
        put(SEPARATOR, from, at)
      } else if (isText) {
        const meaning = unit === BACKSLASH ? escapedAt(json, at) : unit
        if (unit === BACKSLASH) at += json[at] === 'u' ? 5 : 1
        if (isControl(meaning)) faults.push([from, at, ''])
        // Of the halves of characters JSON escapes those that stand alone.
        else if (unit === BACKSLASH && isHalf(meaning)) faults.push([from, at, '\ufffd'])
        else put(meaning, from, at)
      } else if (unit === MINUS || isDigit(unit)) {
        at = endOfNumber(json, from)
        numbers.add(from)
        for (let digit = from; digit < at; digit++) put(json.charCodeAt(digit), from, at)
      } else put(SEPARATOR, from, at)
    }
  return { ...end(), faults, numbers }
}

/** The JSON of a value; of what has none, that of nothing. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return 'null'
  }
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39
const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

/** Of the escape whose backslash stands before. */
function escapedAt(json: string, at: number): number {
  const letter = json.charAt(at)
  return letter === 'u'
    ? Number.parseInt(json.slice(at + 1, at + 5), 16)
    : (BREAKS[letter] ?? letter.charCodeAt(0))
}

function endOfNumber(json: string, from: number): number {
  NUMBER.lastIndex = from
  NUMBER.test(json)
  return NUMBER.lastIndex
}
