import type { Redact } from '../contract.ts'
import type { Change, Range } from './decoded.ts'
import { hasEscapes, withoutEscapes } from './escapes.ts'
import { jsonOf, withoutJson } from './json.ts'
import { needlesOf, partsOf, SHORTEST } from './needles.ts'
import type { Pieces } from './pieces.ts'
import { atOnce, inTurns, PIECE } from './pieces.ts'

const REDACTED = '[redacted]'
/** How often a text may have been escaped: JSON in a text of JSON, in an address. */
const LEVELS = 3
/** Of what is said bit by bit, characters of one bit. */
const MOST_AT_ONCE = 50_000
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
/** No text of PostgreSQL holds NUL, and the others have no meaning but to terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
/** What a text has to have for a control character, or half of any, to be in it; and JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FAULTS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]/
const FAULTS_OF_JSON = /\\[ubf]|[\x7f-\x9f]/

export type Redactor = ReturnType<typeof createRedactor>

/** Takes secrets out of all that a tool or a service says. What it takes grows with the length of the text alone. */
export function createRedactor(secrets: Iterable<string> = []) {
  const known = new Set(secrets)
  let needles: RegExp | undefined
  let longest = 0

  /** From now on it is taken out, too. */
  function add(secret: string): void {
    known.add(secret)
    needles = undefined
  }

  function pattern(): RegExp {
    if (needles) return needles
    // The longest first: one may be the beginning of another.
    const all = [...known].flatMap(needlesOf).sort((a, b) => b.length - a.length)
    longest = all[0]?.length ?? 0
    needles = new RegExp(all.map(escaped).join('|') || '(?!)', 'g')
    return needles
  }

  /** Holds for most that is short, and wherever no secret is known. */
  function isClean(said: unknown, text: string): boolean {
    if ((said === text ? FAULTS : FAULTS_OF_JSON).test(text)) return false
    if (known.size === 0 || text.length < SHORTEST) return true
    return text.length <= PIECE && !hasEscapes(text) && text.search(pattern()) < 0
  }

  function* search(text: string): Pieces<Range[]> {
    const found: Range[] = []
    if (known.size === 0 || text.length < SHORTEST) return found
    const needles = pattern()
    for (let from = 0; from < text.length; yield) {
      const piece = text.slice(from, from + PIECE + longest)
      let to = from + PIECE
      needles.lastIndex = 0
      for (let it = needles.exec(piece); it && it.index < PIECE; it = needles.exec(piece)) {
        to = Math.max(to, from + needles.lastIndex)
        found.push([from + it.index, from + needles.lastIndex])
      }
      from = to
    }
    return found
  }

  function* find(text: string, levels = LEVELS): Pieces<Range[]> {
    const found = yield* search(text)
    if (levels === 0 || !hasEscapes(text)) return found
    const plain = yield* withoutEscapes(text)
    if (plain.text.length === text.length) return found
    const within = yield* find(plain.text, levels - 1)
    return merged(found, within.map(plain.rangeOf))
  }

  function* cleanText(said: string): Pieces<string> {
    let text = ''
    for (let at = 0; at < said.length; at += PIECE, yield)
      text += said.slice(at, at + PIECE).replaceAll(CONTROLS, '')
    text = text.toWellFormed()
    const found = yield* find(text)
    return yield* changed(
      text,
      found.map(([from, to]): Change => [from, to, REDACTED])
    )
  }

  /** Of JSON the texts, also the names, and numbers that have a secret in them. */
  function* cleanJson(json: string): Pieces<string> {
    const { text, rangeOf, faults, numbers } = yield* withoutJson(json)
    const found = (yield* find(text)).map(rangeOf)
    const secret = ([from, to]: Range): Change => [from, to, numbers.has(from) ? `"${REDACTED}"` : REDACTED]
    return yield* changed(json, merged(found.map(secret), faults))
  }

  const clean = (said: unknown, text: string) => (said === text ? cleanText(text) : cleanJson(text))

  const redact: Redact = (said) => {
    const text = textOf(said)
    return redactedOf(said, text, isClean(said, text) ? text : atOnce(clean(said, text)))
  }

  /** The same of anything long: others have their turns in between. */
  const redactInTurns = async <T>(said: T): Promise<T> => {
    const text = textOf(said)
    return redactedOf(said, text, await cleanInTurns(said, text))
  }

  /** What `textOf` makes of something, without secrets. */
  const cleanInTurns = (said: unknown, text: string): Promise<string> | string =>
    isClean(said, text) ? text : inTurns(clean(said, text))

  /** How many characters at the end may be the beginning of a secret that goes on. */
  function begunAt(text: string): number {
    const parts = [...known].flatMap(partsOf)
    const from = Math.max(0, text.length - Math.max(0, ...parts.map(({ length }) => length)) + 1)
    for (let at = from; at < text.length; at++)
      if (parts.some((part) => part.startsWith(text.slice(at)))) return at
    return text.length
  }

  /** For what is said bit by bit: of a secret in two of them nothing is emitted either. */
  function stream(emit: (said: string) => void) {
    let held = ''
    const flush = (text: string) => {
      if (text !== '') emit(text)
    }
    return {
      say(said: string) {
        const text = beginning(redact((held + String(said)).slice(0, 2 * MOST_AT_ONCE)))
        const at = begunAt(text)
        held = text.slice(at)
        flush(text.slice(0, at))
      },
      end: () => flush(held)
    }
  }

  return { add, redact, redactInTurns, cleanInTurns, stream }
}

/** The part that is emitted of a long bit; what begins in it was redacted with what follows. */
const beginning = (text: string): string =>
  text.length > MOST_AT_ONCE ? `${text.slice(0, MOST_AT_ONCE).toWellFormed()}…` : text

/** A text as it is, of anything else its JSON. */
export const textOf = (said: unknown): string => (typeof said === 'string' ? said : jsonOf(said))

/** What has no JSON, and may say anything, is nothing. */
function redactedOf<T>(said: T, text: string, cleaned: string): T {
  if (said === text) return cleaned as T
  return cleaned === text && text !== 'null' ? said : JSON.parse(cleaned)
}

/** Both in their order, which they have each for itself. */
function merged<T extends readonly [number, ...unknown[]]>(some: readonly T[], others: readonly T[]): T[] {
  if (some.length === 0 || others.length === 0) return [...some, ...others]
  const all: T[] = []
  let next = 0
  for (const it of some) {
    for (let other = others[next]; other && other[0] < it[0]; other = others[++next]) all.push(other)
    all.push(it)
  }
  for (; next < others.length; next++) all.push(others[next] as T)
  return all
}

/** Of changes that overlap the first counts, and reaches as far as all of them. */
function* changed(text: string, changes: readonly Change[]): Pieces<string> {
  let made = ''
  let read = 0
  for (const [index, [from, to, instead]] of changes.entries()) {
    if (from >= read) made += text.slice(read, from) + instead
    read = Math.max(read, to)
    if (index % 1_000 === 0) yield
  }
  return made + text.slice(read)
}
