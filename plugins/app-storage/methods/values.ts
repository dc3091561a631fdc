import { depthOf, invalid, pointerToken, tooLarge } from 'agent-platform'
import type { Json } from '../stores/data-store.ts'

/** Of one value or document, as JSON in UTF-8. */
export const MAX_BYTES = 65_536
export const MAX_DEPTH = 16
const MAX_NAME = 200

/** Fields that every document has beside its own. */
export const OWN_FIELDS = ['id', 'version', 'createdAt', 'updatedAt'] as const
/** Names that mean more than themselves to JavaScript or to a driver. */
const special = new Set(['__proto__', 'constructor', 'prototype', '_bsontype', 'toBSON', 'toJSON'])

/** A text that every store takes: no half of a character, and no U+0000. */
export function checkText(text: string, param: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  throw invalid(param, `${param} contains an invalid character (NUL or an unpaired surrogate)`)
}

/** A value that any store keeps as it is. `strict`: of a document, whose names are fields. */
export function checkValue(value: unknown, param: string, isDocument: boolean): Json {
  if (value === undefined) throw invalid(param, `${param} is required`)
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH)
    throw invalid(param, `${param} is deeper than ${MAX_DEPTH} levels`)
  const text = JSON.stringify(value)
  if (text === undefined) throw invalid(param, `${param} is not JSON`)
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw tooLarge(`${param} has more than ${MAX_BYTES} bytes`, { param, code: 'value_too_large' })
  checkParts(value, param, isDocument)
  // A value of its own: what came may have what JSON has not.
  return JSON.parse(text)
}

function checkParts(value: unknown, param: string, isDocument: boolean): void {
  if (typeof value === 'string') checkText(value, param)
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const at = `${param}/${pointerToken(name)}`
    if (!Array.isArray(value)) {
      checkText(name, param)
      if (special.has(name)) throw invalid(param, `${param} has a field with a name that it may not have`)
      if (isDocument && (name === '' || name.length > MAX_NAME || name.startsWith('$') || name.includes('.')))
        throw invalid(at, `Names of fields have 1 to ${MAX_NAME} characters, no dot, and no $ before them`)
    }
    checkParts(part, at, isDocument)
  }
}

/** A document as an app gives it: its own fields are the store's to fill. */
export function checkDocument(document: unknown, param: string): Record<string, Json> {
  const checked = checkValue(document, param, true)
  for (const name of OWN_FIELDS)
    if (Object.hasOwn(checked, name)) throw invalid(`${param}/${name}`, `${name} is the store’s to set`)
  return checked
}
