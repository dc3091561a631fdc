import type { VendorError } from './vendor-error.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What is known of a failure that says when to come back. */
export interface Waiting {
  readonly status: number | undefined
  readonly headers: Headers
  readonly error: VendorError | undefined
}

/** No server means longer than that. */
const LONGEST_MS = 31 * 86_400_000
/** Characters of a duration. */
const DURATION = 64
/** Beyond it a number is seconds since 1970, and beyond this one milliseconds. */
const EPOCH_SECONDS = 1e9
const EPOCH_MS = 1e12

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  milliseconds: 1,
  s: 1_000,
  sec: 1_000,
  secs: 1_000,
  second: 1_000,
  seconds: 1_000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000
}

/** Milliseconds that the server asks to wait, in whatever form it does; undefined where it does not. */
export function waitOf({ status, headers, error }: Waiting, now = Date.now()): number | undefined {
  const header = (name: string) => {
    const value = headers[name]
    return (Array.isArray(value) ? value[0] : value)?.trim() || undefined
  }
  const isLimit = status === 429 || status === 503 || status === 529
  const found =
    numberOf(header('retry-after-ms') ?? header('x-ms-retry-after-ms')) ??
    afterOf(header('retry-after'), now) ??
    inDetails(error?.details) ??
    (isLimit ? (resetOf(headers, now) ?? resetOf(headersBehind(error), now)) : undefined) ??
    inWords(error?.message)
  return found === undefined ? undefined : Math.min(Math.max(found, 0), LONGEST_MS)
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** Seconds, with a fraction at times; a date; or a duration. */
function afterOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = numberOf(text)
  if (seconds !== undefined) return seconds * 1_000
  return durationOf(text) ?? untilDate(text, now)
}

function untilDate(text: string, now: number): number | undefined {
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : date - now
}

/** Google's `RetryInfo`, or the time of its quota. */
function inDetails(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined
  for (const detail of details) {
    const { retryDelay, metadata } = Object(detail)
    const told = retryDelay ?? Object(metadata).quotaResetDelay
    if (typeof told === 'string') return durationOf(told)
    // As JSON of protocol buffers has it at times.
    if (typeof told?.seconds === 'string' || typeof told?.seconds === 'number')
      return Number(told.seconds) * 1_000
  }
  return undefined
}

/**
 * When limits are reset: of those that are used up the last one, else the first. `x-ratelimit-reset-requests` (OpenAI,
 * Groq), `x-ratelimit-reset` (OpenRouter, Mistral), `anthropic-ratelimit-tokens-reset`, `ratelimit-reset`.
 */
function resetOf(headers: Headers, now: number): number | undefined {
  const used: number[] = []
  const others: number[] = []
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!key.includes('ratelimit') || !key.includes('reset') || typeof value !== 'string') continue
    const wait = momentOf(value.trim(), now)
    if (wait === undefined) continue
    const left = headers[name.replace(/reset/i, (it) => (it === 'reset' ? 'remaining' : 'Remaining'))]
    if (left !== undefined && Number(left) <= 0) used.push(wait)
    else others.push(wait)
  }
  if (used.length > 0) return Math.max(...used)
  return others.length > 0 ? Math.min(...others) : undefined
}

/** Seconds from now, a Unix time in seconds or milliseconds, a duration, or a date. */
function momentOf(text: string, now: number): number | undefined {
  const number = numberOf(text)
  if (number === undefined) return durationOf(text) ?? untilDate(text, now)
  if (number > EPOCH_MS) return number - now
  return number > EPOCH_SECONDS ? number * 1_000 - now : number * 1_000
}

/** OpenRouter's, of the server behind it. */
function headersBehind(error: VendorError | undefined): Headers {
  const behind = Object(error?.metadata).headers
  return typeof behind === 'object' && behind !== null ? behind : {}
}

const phrases = ['try again in ', 'retry in ', 'retry after ', 'reset after ', 'resets in ']

/** “Please try again in 1m30.5s.” */
function inWords(message: string | undefined): number | undefined {
  const text = message?.slice(0, 4_096).toLowerCase() ?? ''
  for (const phrase of phrases) {
    const at = text.indexOf(phrase)
    const duration =
      at < 0 ? undefined : read(text.slice(at + phrase.length, at + phrase.length + DURATION)).value
    if (duration !== undefined) return duration
  }
  return undefined
}

/** `1m30s`, `45.837906927s`, `250ms`; undefined for anything else. */
function durationOf(text: string): number | undefined {
  if (text.length > DURATION) return undefined
  const { value, end } = read(text.toLowerCase())
  return end === text.length ? value : undefined
}

const isDigit = (it: string | undefined) => it !== undefined && ((it >= '0' && it <= '9') || it === '.')
const isLetter = (it: string | undefined) => it !== undefined && ((it >= 'a' && it <= 'z') || it === 'µ')

/** The numbers with units at the beginning of a text, in milliseconds, and where they end. */
function read(text: string): { value: number | undefined; end: number } {
  let value: number | undefined
  let end = 0
  for (let at = 0; isDigit(text[at]); ) {
    const start = at
    while (isDigit(text[at])) at++
    const number = Number(text.slice(start, at))
    while (text[at] === ' ') at++
    const unit = at
    while (isLetter(text[at])) at++
    const name = text.slice(unit, at)
    if (!Number.isFinite(number) || !Object.hasOwn(units, name)) break
    value = (value ?? 0) + number * (units[name] as number)
    end = at
    while (text[at] === ' ') at++
  }
  return { value, end }
}
