import type { IncomingHttpHeaders } from 'node:http'
import { invalid, parseJson, unsupportedMedia } from 'agent-platform'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/
const FORM_TYPE = 'application/x-www-form-urlencoded'
/** What could be used elsewhere is not kept. */
const SECRET = /^(?:proxy-)?authorization$|^cookie$|signature|secret|token|api-?key/

/** What a mapping sees of a delivery. */
export interface Payload {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly method: string
}

/** The body as JSON: an object of a form, a string of text, null of nothing; 400 and 415. */
export function bodyOf(bytes: Buffer | undefined, headers: IncomingHttpHeaders): unknown {
  if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw unsupportedMedia('The body must not be compressed')
  if (!bytes || bytes.length === 0) return null
  const type = (headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? ''
  if (JSON_TYPE.test(type)) return parseJson(bytes)
  if (type !== FORM_TYPE && !type.startsWith('text/'))
    throw unsupportedMedia('The body must be JSON, a form or text')
  const text = textOf(bytes)
  // With what no database takes refused, as it is in JSON.
  return parseJson(Buffer.from(JSON.stringify(type === FORM_TYPE ? fieldsOf(text) : text)))
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('', 'The body is not UTF-8')
  }
}

/** A name that comes several times is a list. */
function fieldsOf(text: string): object {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name)
    if (Array.isArray(known)) known.push(value)
    else fields.set(name, known === undefined ? value : [known, value])
  }
  return Object.fromEntries(fields)
}

export const headersOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || SECRET.test(name) ? [] : [[name, String(value)]]
    )
  )

/** By which a sender says that it delivers the same thing again. */
export const deliveryIdOf = (headers: IncomingHttpHeaders): string | undefined =>
  ['webhook-id', 'idempotency-key', 'x-github-delivery']
    .map((name) => headers[name])
    .find((id): id is string => typeof id === 'string' && id !== '')
