import { clipped } from './clipped.ts'

/** Text that PostgreSQL takes: without NUL, and without halves of characters. */
export const cleanText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** A JSON value of the same kind. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleanJson)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanJson(item)]))
}

/** Characters of an output that a model gets. */
const OUTPUT = 200_000

/** What a call gave, as JSON that can be kept; of too much the beginning and the end, as text. */
export function capped(output: unknown): unknown {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null')
  if (text.length <= OUTPUT) return cleanJson(typeof output === 'string' ? output : JSON.parse(text))
  return cleanText(clipped(text, OUTPUT, (left) => `${left} of ${text.length} characters were not kept`))
}
