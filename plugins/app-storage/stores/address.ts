import { X509Certificate } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { invalid } from 'agent-platform'

export type Outside = 'postgresql' | 'mongodb'

/** Where a database is, and as whom to connect: nothing of it but these, whatever else a driver would read from a URL. */
export interface Address {
  readonly provider: Outside
  /** Several of a replica set; one, without a port, where they stand in DNS (`srv`). */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly srv: boolean
  readonly user?: string
  readonly password?: string
  readonly database: string
  readonly tls: 'verified' | 'unverified' | 'off'
  /** PEM of the authorities that are trusted in the place of the usual ones. */
  readonly ca?: string
  readonly authSource?: string
  readonly authMechanism?: 'SCRAM-SHA-1' | 'SCRAM-SHA-256'
}

const PARAM = '/connection/url'
const shape =
  /^(?<scheme>[a-z+]{1,20}):\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^/?#@]+)\/(?<database>[^/?#]*)(?:\?(?<query>[^#]*))?$/
const hostShape =
  /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?\.?))(?::(\d{1,5}))?$/i
const names = { postgresql: /^[^\p{Cc}/\\"$]{1,63}$/u, mongodb: /^[A-Za-z0-9_-]{1,63}$/ }
const ports = { postgresql: 5432, mongodb: 27017 }
/** Of the query, what is understood. What drivers would read files, or the machine's own credentials, for is not among it. */
const options: Readonly<Record<Outside, Readonly<Record<string, RegExp>>>> = {
  postgresql: { sslmode: /^(?:verify-full|require|disable)$/ },
  mongodb: {
    tls: /^(?:true|false)$/,
    ssl: /^(?:true|false)$/,
    tlsAllowInvalidCertificates: /^(?:true|false)$/,
    authSource: /^[A-Za-z0-9_-]{1,63}$/,
    authMechanism: /^SCRAM-SHA-(?:1|256)$/,
    replicaSet: /^[\w.-]{1,100}$/,
    retryWrites: /^(?:true|false)$/,
    w: /^majority$/,
    appName: /^[\w .-]{1,100}$/
  }
}

/** 400 at `/connection/url` for what is no such address, with nothing of it in the message, and at `/connection/ca`. */
export function parseAddress(provider: Outside, url: string, ca?: string): Address {
  const parts = shape.exec(url)?.groups
  const srv = parts?.scheme === 'mongodb+srv'
  const isOf =
    provider === 'mongodb'
      ? srv || parts?.scheme === 'mongodb'
      : /^postgres(?:ql)?$/.test(parts?.scheme ?? '')
  if (!parts || !isOf) throw invalid(PARAM, `The address has to look like ${forms[provider]}`)
  const { user, password, query = '' } = parts
  const database = decoded(parts.database)
  if (!names[provider].test(database)) throw invalid(PARAM, 'The address has to name a database')
  // Drivers would take a name of this process otherwise.
  if (provider === 'postgresql' && !user) throw invalid(PARAM, 'The address has to name a user')
  const hosts = (parts.hosts ?? '').split(',').map((text) => hostOf(text, ports[provider], srv))
  if (hosts.length > (provider === 'mongodb' && !srv ? 7 : 1))
    throw invalid(PARAM, 'The address names too many hosts')
  const found = optionsOf(provider, query)
  if (ca !== undefined) checkCertificates(ca)
  return {
    provider,
    hosts,
    srv,
    ...(user && { user: decoded(user) }),
    ...(password && { password: decoded(password) }),
    database,
    tls: tlsOf(provider, srv, found),
    ...(ca !== undefined && { ca }),
    ...(found.authSource && { authSource: found.authSource }),
    ...(found.authMechanism && { authMechanism: found.authMechanism as 'SCRAM-SHA-1' })
  }
}

const forms = {
  postgresql: 'postgresql://user:password@host:5432/database',
  mongodb: 'mongodb://user:password@host:27017/database or mongodb+srv://user:password@host/database'
}

function hostOf(text: string, usual: number, srv: boolean) {
  const [, six, name, port] = hostShape.exec(text) ?? []
  const isHost = six === undefined ? name !== undefined : isIPv6(six)
  if (!isHost || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535 || (srv && port !== undefined))
    throw invalid(PARAM, 'The address has a host or port that is none')
  return { host: (six ?? name) as string, port: Number(port ?? usual) }
}

function optionsOf(provider: Outside, query: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const allowed = Object.hasOwn(options[provider], name) ? options[provider][name] : undefined
    if (!allowed)
      throw invalid(PARAM, `The address may have no options but ${Object.keys(options[provider]).join(', ')}`)
    if (!allowed.test(value) || Object.hasOwn(found, name))
      throw invalid(PARAM, `The option ${name} of the address has a value that it may not have`)
    found[name] = value
  }
  return found
}

function tlsOf(provider: Outside, srv: boolean, found: Readonly<Record<string, string>>): Address['tls'] {
  if (provider === 'postgresql')
    return found.sslmode === 'disable' ? 'off' : found.sslmode === 'require' ? 'unverified' : 'verified'
  const said = found.tls ?? found.ssl
  // As with PostgreSQL, and unlike what drivers do: who wants none has to say so.
  if (said === 'false' && !srv) return 'off'
  return found.tlsAllowInvalidCertificates === 'true' ? 'unverified' : 'verified'
}

/** Of what no certificate can be made, drivers would say so at each connection, in words of their own. */
function checkCertificates(ca: string): void {
  const texts = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    if (texts.length === 0) throw new Error('None')
    for (const text of texts) new X509Certificate(text)
  } catch {
    throw invalid('/connection/ca', 'It is no certificate in PEM')
  }
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(PARAM, 'The address has a % that stands for nothing')
  }
}

/** As people are shown it: hosts and database, without user and password. */
export const shownAddress = ({ hosts, database }: Address): string =>
  `${hosts.map(({ host, port }) => (isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`)).join()}/${database}`
