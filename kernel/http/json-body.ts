import { invalid } from '../contract/errors.ts'
import { createScan, isSmall, MAX_DEPTH, tooDeep } from './json-scan.ts'

/** Only a text that has one of these can hold what is refused; besides a number of too many digits. */
const SUSPICIOUS = /__proto__|constructor|\\u(?:0000|005f|00[46]|00[57]|d[89a-f])|\de\+?\d{3}/i
/** The largest double has so many digits. */
const DIGITS = 309
const utf8 = new TextDecoder('utf-8', { fatal: true })
const scanned = new WeakSet<Buffer>()

/** Notes that a body was scanned while it arrived. */
export const noteScanned = (body: Buffer): void => void scanned.add(body)

/**
 * JSON as RFC 8259 has it: UTF-8, and no value that a database or a merge would choke on. Throws 400, or 413 for more names and
 * values than `JSON_MAX_VALUES`. Undefined for an empty body.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const small = isSmall(body.length)
  if (!small && !scanned.has(body)) createScan()(body)
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw invalid('', 'The body is not UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid('', `The body is not JSON: ${(error as Error).message}`)
  }
  if (small && text.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH)) throw tooDeep()
  // To look through a large text takes longer than to look through its values, whose number is limited.
  if (!small || SUSPICIOUS.test(text) || hasLongNumber(text)) refuse(value)
  return value
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (isDeeper(item, left - 1)) return true
  return false
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Whether so many digits stand in a row, in linear time: such a row has a digit at a multiple of that. */
function hasLongNumber(text: string): boolean {
  for (let at = DIGITS - 1; at < text.length; at += DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue
    let from = at
    let to = at + 1
    while (isDigit(text.charCodeAt(from - 1))) from--
    while (isDigit(text.charCodeAt(to))) to++
    if (to - from >= DIGITS) return true
  }
  return false
}

/** A fault of a value, with the names and indexes that lead to it, the innermost first. */
interface Fault {
  readonly text: string
  readonly path: string[]
}

function refuse(value: unknown): void {
  const fault = faultOf(value)
  if (!fault) return
  const pointer = fault.path
    .reverse()
    .map((name) => `/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
  throw invalid(pointer, `${pointer || 'The body'} ${fault.text}`)
}

function faultOf(value: unknown): Fault | undefined {
  if (typeof value === 'string') return faultOfText(value)
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { text: 'is too large a number', path: [] }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const fault = faultOf(value[at])
      if (fault) return within(fault, String(at))
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    const item: unknown = (value as Record<string, unknown>)[name]
    const fault = faultOfName(name, item) ?? faultOfText(name) ?? faultOf(item)
    if (fault) return within(fault, name)
  }
  return undefined
}

function within(fault: Fault, name: string): Fault {
  fault.path.push(name)
  return fault
}

function faultOfText(text: string): Fault | undefined {
  if (text.includes('\0')) return { text: 'must not contain NUL', path: [] }
  return text.isWellFormed() ? undefined : { text: 'holds a lone surrogate', path: [] }
}

const faultOfName = (name: string, item: unknown): Fault | undefined =>
  name === '__proto__' || (name === 'constructor' && isPollution(item))
    ? { text: 'is not allowed as a name', path: [] }
    : undefined

const isPollution = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
