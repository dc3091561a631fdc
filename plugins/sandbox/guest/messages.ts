import { bytesOf, fromBase64, textOf, toBase64, utf8Of } from './encoding.ts'
import type { AbortSignal } from './events.ts'
import type { HeadersInit } from './headers.ts'
import { Headers } from './headers.ts'
import { URL } from './url.ts'
import { URLSearchParams } from './url-search-params.ts'

/** A body as it crosses. */
export type Crossing = { readonly text: string } | { readonly base64: string }

/** A body is a text or bytes, read once. There are no streams. */
class Body {
  #content: string | Uint8Array | null = null
  #isUsed = false
  readonly headers: Headers

  constructor(body: unknown, headers: HeadersInit | undefined) {
    this.headers = new Headers(headers)
    if (body === undefined || body === null) return
    const isText = typeof body === 'string' || body instanceof URLSearchParams
    this.#content = isText ? String(body) : bytesOf(body).slice()
    const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'text/plain'
    if (isText && !this.headers.has('content-type')) this.headers.set('content-type', `${type};charset=UTF-8`)
  }

  get bodyUsed(): boolean {
    return this.#isUsed
  }
  async text(): Promise<string> {
    const content = this.#take()
    return typeof content === 'string' ? content : textOf(content)
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
  async bytes(): Promise<Uint8Array> {
    const content = this.#take()
    return typeof content === 'string' ? utf8Of(content) : content
  }
  async arrayBuffer(): Promise<ArrayBufferLike> {
    return (await this.bytes()).slice().buffer
  }

  #take(): string | Uint8Array {
    if (this.#isUsed) throw new TypeError('The body has been read')
    if (this.#content !== null) this.#isUsed = true
    return this.#content ?? ''
  }

  static content(of: Body): string | Uint8Array | null {
    if (of.#isUsed) throw new TypeError('The body has been read')
    return of.#content
  }
}

export function crossingOf(message: Request | Response): Crossing | undefined {
  const content = Body.content(message)
  if (content === null) return undefined
  return typeof content === 'string' ? { text: content } : { base64: toBase64(content) }
}

export interface RequestInit {
  readonly method?: string
  readonly headers?: HeadersInit
  readonly body?: unknown
  readonly signal?: AbortSignal | null
  readonly redirect?: 'follow' | 'error' | 'manual'
  /** The key of a connection, whose secret the platform adds. */
  readonly connection?: string
}

export class Request extends Body {
  readonly url: string
  readonly method: string
  readonly signal: AbortSignal | null
  readonly redirect: 'follow' | 'error' | 'manual'
  readonly connection: string | undefined

  constructor(input: Request | URL | string, init: RequestInit = {}) {
    const given = input instanceof Request ? input : undefined
    const method = String(init.method ?? given?.method ?? 'GET').toUpperCase()
    const body = init.body ?? (given ? Body.content(given) : undefined)
    if (body !== undefined && body !== null && /^(GET|HEAD)$/.test(method))
      throw new TypeError(`A ${method} has no body`)
    super(body, init.headers ?? given?.headers)
    this.url = given ? given.url : new URL(String(input)).href
    this.method = method
    this.signal = init.signal ?? given?.signal ?? null
    this.redirect = init.redirect ?? given?.redirect ?? 'follow'
    this.connection = init.connection ?? given?.connection
  }

  clone(): Request {
    return new Request(this)
  }
}

export interface ResponseInit {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: HeadersInit
}

export class Response extends Body {
  readonly status: number
  readonly statusText: string
  readonly url: string = ''

  constructor(body?: unknown, init: ResponseInit = {}) {
    super(body, init.headers)
    this.status = Number(init.status ?? 200)
    if (!(this.status >= 200 && this.status <= 599)) throw new RangeError('That is no status of a response')
    this.statusText = String(init.statusText ?? '')
  }

  get ok(): boolean {
    return this.status < 300
  }
  clone(): Response {
    return Object.assign(new Response(Body.content(this), this), { url: this.url })
  }

  static json(value: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(value), { ...init, headers })
  }
}

/** What the host gave. */
export interface Received {
  readonly status: number
  readonly statusText?: string
  readonly url?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: Crossing
}

export function responseOf({ status, statusText, url = '', headers = [], body }: Received): Response {
  const content = body && ('text' in body ? utf8Of(body.text) : fromBase64(body.base64))
  return Object.assign(new Response(content, { status, statusText, headers }), { url })
}
