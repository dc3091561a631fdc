import { hash } from 'node:crypto'

/**
 * JSON that is the same for the same value, in whatever order its members came (RFC 8785: members by the UTF-16 code
 * units of their names, which no object keeps whose names look like integers). Undefined where there is no JSON.
 */
export function canonicalJson(value: unknown): string {
  const plain = plainOf(value)
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain)
  if (Array.isArray(plain)) return `[${plain.map((item) => canonicalJson(item) ?? 'null').join()}]`
  const members: string[] = []
  for (const name of Object.keys(plain).sort()) {
    const json = canonicalJson((plain as Record<string, unknown>)[name])
    if (json !== undefined) members.push(`${JSON.stringify(name)}:${json}`)
  }
  return `{${members.join()}}`
}

/** A date and its like say themselves what they are in JSON. */
const plainOf = (value: unknown): unknown =>
  typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function'
    ? (value as { toJSON(): unknown }).toJSON()
    : value

/** Of what a request says: SHA-256 of its canonical JSON, or of its bytes, in base64url. */
export const digestOf = (value: unknown): string =>
  hash('sha256', value instanceof Uint8Array ? value : (canonicalJson(value) ?? ''), 'base64url')
