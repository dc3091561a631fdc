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
/** Set anew for the compute service, or answered here. */
const OURS = new Set(['host', 'expect', 'http2-settings', 'x-request-id'])
/** Credentials. */
const CREDENTIAL = /^(?:cookie2?$|api-key|x-api-key|x-auth)|authorization|access-token|id-token/
/** Who asks, for whom and from where, as servers and proxies call it. The envelope alone says that. */
const IDENTITY =
  /principal|identity|initiator|impersonat|on-behalf-of|assertion|authenticated|oidc|forwarded|(?:^|-)user(?!-agent$)|^x-(?:owner|project|scope|real-ip|remote)|^remote-|(?:client|connecting)-ip|client-cert|client-verify/
/** Would make another request of it than the one whose scope was checked. */
const DISGUISE = /method-override|^x-http-method|^x-(?:original|rewrite)-/
/** Speaks for the platform's own origin. */
const ORIGIN =
  /^(?:set-cookie2?$|access-control-|alt-svc$|clear-site-data$|strict-transport-security$|x-principal)/

/** Servers that map headers to variables take dots and underscores for dashes. */
const spelling = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const namedBy = (connection: string): Set<string> =>
  new Set(connection.split(',').map((name) => name.trim().toLowerCase()))

/** Names and values in turn, as they came, without what must not leave the gateway. */
export function outgoing(raw: readonly string[]): string[] {
  const connection: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]?.toLowerCase() === 'connection') connection.push(raw[at + 1] as string)
  const named = namedBy(connection.join())
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at] as string, raw[at + 1] as string]
    if (!named.has(name.toLowerCase()) && !isDisguisedLength(name) && mayLeave(spelling(name)))
      kept.push(name, value)
  }
  return kept
}

/** Would end the body elsewhere for servers that take it for a dash. */
const isDisguisedLength = (name: string): boolean =>
  spelling(name) === 'content-length' && name.toLowerCase() !== 'content-length'

const mayLeave = (name: string): boolean =>
  !HOP_BY_HOP.has(name) &&
  !OURS.has(name) &&
  !CREDENTIAL.test(name) &&
  !IDENTITY.test(name) &&
  !DISGUISE.test(name)

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
