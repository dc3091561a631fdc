import type { Decoded } from './decoded.ts'
import { startDecoding } from './decoded.ts'
import type { Pieces } from './pieces.ts'
import { PIECE } from './pieces.ts'

/** What punctuation is called in HTML. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'amp & lt < gt > quot " apos \' sol / bsol \\ colon : semi ; comma , period . excl ! quest ? num # ' +
    'dollar $ percnt % lpar ( rpar ) lsqb [ lbrack [ rsqb ] rbrack ] lcub { lbrace { rcub } rbrace } ' +
    'ast * plus + equals = commat @ lowbar _ hat ^ grave ` verbar | vert |'
  )
    .match(/(\S+) (\S+)/g)
    ?.map((pair) => pair.split(' ')) ?? []
)

/** Percent, JavaScript, JSON and HTML; a break of the line and what is not seen count as nothing. */
const MARKS = /[%\\&\r\n\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/
const NUMBERED =
  /%[\da-f]{2}|\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2})|&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});?/iy

export const hasEscapes = (text: string): boolean => MARKS.test(text)

const marks = Uint8Array.from({ length: 65_536 }, (_, unit) => Number(hasEscapes(String.fromCharCode(unit))))
const [PERCENT, BACKSLASH, AMPERSAND] = [0x25, 0x5c, 0x26]

/** A text without one level of escapes. */
export function* withoutEscapes(escaped: string): Pieces<Decoded> {
  const { put, end } = startDecoding(escaped.length)
  for (let at = 0; at < escaped.length; yield)
    for (const to = Math.min(at + PIECE, escaped.length); at < to; ) {
      const unit = escaped.charCodeAt(at)
      if (marks[unit] === 0) put(unit, at, ++at)
      else {
        const [meaning, size] = meaningAt(escaped, at, unit)
        if (meaning !== undefined) put(meaning, at, at + size)
        at += size
      }
    }
  return end()
}

type Meaning = readonly [unit: number | undefined, size: number]

/** What a mark stands for with what follows, and how long that is. */
function meaningAt(text: string, at: number, mark: number): Meaning {
  const next = text.charAt(at + 1)
  if (mark === BACKSLASH && !/[ux]/i.test(next))
    // Of \n nothing is left, as of the break itself.
    return [/[bfnrtv\s]/.test(next) ? undefined : next.charCodeAt(0), 2]
  if (mark === PERCENT || mark === BACKSLASH || mark === AMPERSAND) return numberedAt(text, at) ?? [mark, 1]
  return [undefined, 1]
}

/** What a code or a name stands for. */
function numberedAt(text: string, at: number): Meaning | undefined {
  NUMBERED.lastIndex = at
  const found = NUMBERED.exec(text)?.[0]
  if (found === undefined) return undefined
  const digits = /^(?:%|\\[ux]\{?|&#x)([\da-f]+)/i.exec(found)?.[1]
  const decimal = /^&#(\d+)/.exec(found)?.[1]
  if (digits !== undefined) return [Number.parseInt(digits, 16), found.length]
  if (decimal !== undefined) return [Number(decimal), found.length]
  const named = NAMES[found.slice(1).replace(';', '').toLowerCase()]
  return named === undefined ? undefined : [named.charCodeAt(0), found.length]
}
