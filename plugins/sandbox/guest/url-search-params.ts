import { textOf, utf8Of } from './encoding.ts'

type Pairs = [name: string, value: string][]
type Init = string | Iterable<readonly [string, string]> | Readonly<Record<string, string>>

/** Names and values of a query, in their order. */
export class URLSearchParams {
  #pairs: Pairs
  #changed: (text: string) => void = () => undefined

  constructor(init: Init = '') {
    if (typeof init === 'string') this.#pairs = parse(init.replace(/^\?/, ''))
    else {
      const pairs = Symbol.iterator in init ? [...init] : Object.entries(init)
      this.#pairs = pairs.map(([name, value]) => [formed(name), formed(value)])
    }
  }

  get size(): number {
    return this.#pairs.length
  }
  append(name: string, value: string): void {
    this.#pairs.push([formed(name), formed(value)])
    this.#changed(String(this))
  }
  set(name: string, value: string): void {
    const key = formed(name)
    const first = this.#pairs.findIndex(([it]) => it === key)
    if (first < 0) {
      this.append(name, value)
      return
    }
    this.#pairs = this.#pairs.filter(([it], at) => it !== key || at === first)
    this.#pairs[first] = [key, formed(value)]
    this.#changed(String(this))
  }
  delete(name: string, value?: string): void {
    const gone = ([it, its]: Pairs[number]) =>
      it === formed(name) && (value === undefined || its === formed(value))
    this.#pairs = this.#pairs.filter((pair) => !gone(pair))
    this.#changed(String(this))
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed(String(this))
  }
  get(name: string): string | null {
    return this.#pairs.find(([it]) => it === formed(name))?.[1] ?? null
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([it]) => it === formed(name)).map(([, value]) => value)
  }
  has(name: string, value?: string): boolean {
    return this.#pairs.some(
      ([it, its]) => it === formed(name) && (value === undefined || its === formed(value))
    )
  }
  forEach(work: (value: string, name: string, params: URLSearchParams) => void): void {
    for (const [name, value] of this.#pairs) work(value, name, this)
  }
  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value]
  }
  *keys(): Generator<string> {
    for (const [name] of this.#pairs) yield name
  }
  *values(): Generator<string> {
    for (const [, value] of this.#pairs) yield value
  }
  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  }

  /** Those of a URL, which changes with them. */
  static of(query: string, changed: (text: string) => void): URLSearchParams {
    const params = new URLSearchParams(query)
    params.#changed = changed
    return params
  }

  /** The URL has another query now. */
  static refill(params: URLSearchParams, query: string): void {
    params.#pairs = parse(query.replace(/^\?/, ''))
  }
}

const formed = (text: unknown): string => String(text).toWellFormed()

const parse = (text: string): Pairs =>
  text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.split('=')
      return [decode(name), decode(value.join('='))]
    })

/** `+` is a space, and `%` with two digits a byte; everything else is what it is. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  const given = utf8Of(spaced)
  const bytes: number[] = []
  for (let n = 0; n < given.length; n++) {
    const digits = given[n] === 0x25 ? String.fromCharCode(given[n + 1] ?? 0, given[n + 2] ?? 0) : ''
    const isByte = /^[0-9a-f]{2}$/i.test(digits)
    bytes.push(isByte ? Number.parseInt(digits, 16) : (given[n] as number))
    if (isByte) n += 2
  }
  return textOf(new Uint8Array(bytes))
}

const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
