import { hash } from 'node:crypto'

/** JSON that is the same for the same value, in whatever order its members came. Undefined where there is no JSON. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted)

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Of what a request says: SHA-256 of its canonical JSON, or of its bytes, in base64url. */
export const digestOf = (value: unknown): string =>
  hash('sha256', value instanceof Uint8Array ? value : (canonicalJson(value) ?? ''), 'base64url')
