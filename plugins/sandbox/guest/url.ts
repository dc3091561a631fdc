import { URLSearchParams } from './url-search-params.ts'

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443' }
const PARTS = /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/is
const HOST = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(\d*))?$/i
const NO_HOST = /[\0-\x20#%/:<>?@[\\\]^`{|}\x7f]/

interface Parsed {
  readonly protocol: string
  /** Undefined where there is none, as of `mailto:`. */
  readonly host:
    | { readonly name: string; readonly port: string; readonly user: string; readonly password: string }
    | undefined
  readonly path: string
  readonly search: string
  readonly hash: string
}

/**
 * URLs of the Web: absolute ones, and such as refer to a base. Hosts are ASCII (of others, write the `xn--` form); what a request
 * goes to is decided by the platform, from `href`.
 */
export class URL {
  #parsed: Parsed
  #params: URLSearchParams | undefined

  constructor(url: unknown, base?: unknown) {
    this.#parsed = parse(String(url), base === undefined ? undefined : parse(String(base)))
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return URL.parse(url, base) !== null
  }
  static parse(url: unknown, base?: unknown): URL | null {
    try {
      return new URL(url, base)
    } catch {
      return null
    }
  }

  get href(): string {
    return hrefOf(this.#parsed)
  }
  set href(value: string) {
    this.#parsed = parse(String(value))
    if (this.#params) URLSearchParams.refill(this.#params, this.search)
  }
  get protocol(): string {
    return this.#parsed.protocol
  }
  get username(): string {
    return this.#parsed.host?.user ?? ''
  }
  get password(): string {
    return this.#parsed.host?.password ?? ''
  }
  get hostname(): string {
    return this.#parsed.host?.name ?? ''
  }
  get port(): string {
    return this.#parsed.host?.port ?? ''
  }
  get host(): string {
    return this.port === '' ? this.hostname : `${this.hostname}:${this.port}`
  }
  get origin(): string {
    return PORTS[this.protocol] ? `${this.protocol}//${this.host}` : 'null'
  }
  get pathname(): string {
    return this.#parsed.path
  }
  set pathname(value: string) {
    const path = encoded(String(value), PATH)
    this.#parsed = { ...this.#parsed, path: this.#parsed.host ? rooted(path) : path }
  }
  get search(): string {
    return this.#parsed.search
  }
  set search(value: string) {
    this.#parsed = { ...this.#parsed, search: after('?', String(value), QUERY) }
    if (this.#params) URLSearchParams.refill(this.#params, this.search)
  }
  get hash(): string {
    return this.#parsed.hash
  }
  set hash(value: string) {
    this.#parsed = { ...this.#parsed, hash: after('#', String(value), HASH) }
  }
  get searchParams(): URLSearchParams {
    this.#params ??= URLSearchParams.of(this.search, (text) => {
      this.#parsed = { ...this.#parsed, search: text && `?${text}` }
    })
    return this.#params
  }
  toString(): string {
    return this.href
  }
  toJSON(): string {
    return this.href
  }
}

const PATH = /[\0-\x20"#<>?^`{}\x7f-\uffff]+/gu
const QUERY = /[\0-\x20"#<>'\x7f-\uffff]+/gu
const HASH = /[\0-\x20"<>`\x7f-\uffff]+/gu
const USER = /[\0-\x20"#<>?`{}/:;=@[\\\]^|\x7f-\uffff]+/gu

const encoded = (text: string, what: RegExp): string =>
  text
    .toWellFormed()
    .replace(what, (it) =>
      encodeURIComponent(it).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    )
const after = (mark: string, text: string, what: RegExp): string => {
  const bare = text.startsWith(mark) ? text.slice(1) : text
  return bare === '' ? '' : mark + encoded(bare, what)
}

function parse(given: string, base?: Parsed): Parsed {
  const text = given.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '')
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase()
  const isWeb = PORTS[scheme ?? base?.protocol ?? ''] !== undefined
  const [, , authority, path = '', search, hash = ''] = PARTS.exec(isWeb ? slashed(text) : text) ?? []
  const protocol = scheme ?? base?.protocol
  if (protocol === undefined) throw new TypeError('Invalid URL')
  const ends = { protocol, search: after('?', search ?? '', QUERY), hash: after('#', hash, HASH) }
  if (authority !== undefined)
    return { ...ends, host: hostOf(authority, protocol), path: rooted(encoded(path, PATH)) }
  if (scheme && isWeb) return parse(`${scheme}//${text.slice(scheme.length).replace(/^[/\\]+/, '')}`)
  if (scheme) return { ...ends, host: undefined, path: encoded(path, PATH) }
  if (!base?.host) throw new TypeError('Invalid URL')
  if (path === '')
    return {
      ...ends,
      host: base.host,
      path: base.path,
      search: search === undefined ? base.search : ends.search
    }
  const folder = path.startsWith('/') ? '' : base.path.slice(0, base.path.lastIndexOf('/') + 1)
  return { ...ends, host: base.host, path: rooted(encoded(folder + path, PATH)) }
}

/** Of URLs of the Web a backslash is a slash, before query and hash. */
const slashed = (text: string): string => text.replace(/^[^?#]*/, (it) => it.replaceAll('\\', '/'))

function hostOf(authority: string, protocol: string): NonNullable<Parsed['host']> {
  const at = authority.lastIndexOf('@')
  const [user = '', ...password] = authority.slice(0, Math.max(at, 0)).split(':')
  const [, host = '', port = ''] = HOST.exec(authority.slice(at + 1)) ?? ['', '\0']
  const name = host.toLowerCase()
  const isForbidden = !name.startsWith('[') && (NO_HOST.test(name) || /[^\0-\x7f]/.test(name))
  if (isForbidden || (PORTS[protocol] && name === '') || Number(port) > 65_535)
    throw new TypeError('Invalid URL')
  const secret = { user: encoded(user, USER), password: encoded(password.join(':'), USER) }
  const number = port === '' ? '' : String(Number(port))
  return { name, port: number === PORTS[protocol] ? '' : number, ...secret }
}

/** With a slash first, and without `.` and `..`. */
function rooted(path: string): string {
  const parts: string[] = []
  const given = path.replace(/^\//, '').split('/')
  for (const [at, part] of given.entries()) {
    const plain = part.replace(/%2e/gi, '.')
    const isLast = at === given.length - 1
    if (plain === '..') parts.pop()
    else if (plain !== '.') parts.push(part)
    if (isLast && (plain === '.' || plain === '..')) parts.push('')
  }
  return `/${parts.join('/')}`
}

function hrefOf({ protocol, host, path, search, hash }: Parsed): string {
  const password = host?.password ? `:${host.password}` : ''
  const user = host && (host.user || password) ? `${host.user}${password}@` : ''
  const port = host?.port ? `:${host.port}` : ''
  return `${protocol}${host ? `//${user}${host.name}${port}` : ''}${path}${search}${hash}`
}
