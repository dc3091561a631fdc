import type { InjectedKey } from './contract.ts'

/** A request before it is sent. */
export interface Draft {
  readonly url: URL
  readonly headers: Headers
  /** Fields of a body, where it has some. */
  readonly fields?: Record<string, unknown> | undefined
}

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/
/** They say where a message goes or ends, or are set by the call itself. */
const TAKEN =
  /^(?:connection|content-encoding|content-length|expect|host|idempotency-key|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

/** What is wrong with a name of a header. */
export function faultOfHeader(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is no name of a header'
  return TAKEN.test(name) ? 'is a header that is not for others to set' : undefined
}

/** What is wrong with a location for a key. */
export const faultOfLocation = ({ in: part, name }: Pick<InjectedKey, 'in' | 'name'>): string | undefined =>
  part === 'header' ? faultOfHeader(name) : undefined

/** Puts a key where it belongs; false where the request has no such location. */
export function inject(
  { url, headers, fields }: Draft,
  key: Pick<InjectedKey, 'in' | 'name' | 'value'>
): boolean {
  const { in: part, name, value } = key
  if (part === 'header') headers.set(name, headerOf(name, value))
  else if (part === 'query') url.searchParams.set(name, value)
  else if (fields) Object.defineProperty(fields, name, { value, enumerable: true, configurable: true })
  else return false
  return true
}

/** An authorization without a scheme is a bearer's, so that one key serves tools and tool servers alike. */
const headerOf = (name: string, value: string): string =>
  name.toLowerCase() === 'authorization' && !value.includes(' ') ? `Bearer ${value}` : value
