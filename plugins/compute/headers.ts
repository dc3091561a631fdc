type Headers = Record<string, string | string[]>

/** What concerns one connection alone (RFC 9110, 7.6.1), beside what `connection` names. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])
/**
 * What a request says of itself, and nothing of who asks, for whom or from where: there is no end to the names that
 * servers and proxies have for that (`x-email`, `x-groups`, `remote-user` …), and the envelope alone says it. The compute
 * service's own headers begin with `x-compute-`.
 */
const FORWARDED =
  /^(?:accept(?:-charset|-encoding|-language)?|content-(?:type|length|encoding|language|disposition|digest|md5|range)|cache-control|pragma|date|digest|dnt|if-(?:match|none-match|modified-since|unmodified-since|range)|idempotency-key|last-event-id|prefer|priority|range|repr-digest|user-agent|traceparent|tracestate|x-compute-[a-z0-9-]+)$/
/** Speaks for the platform's own origin. */
const ORIGIN =
  /^(?:set-cookie2?$|access-control-|alt-svc$|clear-site-data$|strict-transport-security$|x-principal)/

/** Servers that map headers to variables take dots and underscores for dashes. */
const spelling = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const namedBy = (connection: string): Set<string> =>
  new Set(connection.split(',').map((name) => name.trim().toLowerCase()))

/** Of names and values in turn, as they came, those that leave the gateway. */
export function outgoing(raw: readonly string[]): string[] {
  const connection: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === 'connection') connection.push(raw[at + 1] as string)
  const named = namedBy(connection.join())
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at] as string, raw[at + 1] as string]
    const lower = name.toLowerCase()
    if (FORWARDED.test(lower) && !named.has(lower)) kept.push(name, value)
  }
  return kept
}

/** A reply's headers, by lower-case name, without what must not come back. */
export function incoming(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const named = namedBy([received.connection ?? ''].flat().join())
  // The bytes of this one are already as they should be, where both are there.
  const asItIs = received['content-length'] === undefined ? undefined : 'content-disposition'
  const kept: Headers = {}
  for (const [name, value] of Object.entries(received))
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name) && mayReturn(name))
      kept[name] = name === asItIs ? value : Array.isArray(value) ? value.map(bytes) : bytes(value)
  return kept
}

const mayReturn = (name: string): boolean => name !== 'x-request-id' && !ORIGIN.test(spelling(name))

/** Values come decoded as UTF-8 and are written byte by byte. */
const bytes = (value: string): string =>
  /[^\t -~]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value
