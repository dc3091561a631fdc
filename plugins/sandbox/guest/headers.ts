export type HeadersInit = Headers | Iterable<readonly [string, string]> | Record<string, string>

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FORBIDDEN = /[\0\r\n]/

const nameOf = (name: unknown): string => {
  const lower = String(name).toLowerCase()
  if (!NAME.test(lower)) throw new TypeError('That is no name of a header')
  return lower
}

export class Headers {
  #values = new Map<string, string[]>()

  constructor(init: HeadersInit = {}) {
    const pairs =
      Symbol.iterator in init ? (init as Iterable<readonly [string, string]>) : Object.entries(init)
    for (const [name, value] of pairs) this.append(name, value)
  }

  append(name: string, value: string): void {
    const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
    if (FORBIDDEN.test(text)) throw new TypeError('A header has one line')
    const key = nameOf(name)
    this.#values.set(key, [...(this.#values.get(key) ?? []), text])
  }
  set(name: string, value: string): void {
    this.delete(name)
    this.append(name, value)
  }
  delete(name: string): void {
    this.#values.delete(nameOf(name))
  }
  get(name: string): string | null {
    return this.#values.get(nameOf(name))?.join(', ') ?? null
  }
  has(name: string): boolean {
    return this.#values.has(nameOf(name))
  }
  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])]
  }

  *entries(): Generator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? []
      // Cookies must not be joined: their dates have commas.
      for (const value of name === 'set-cookie' ? values : [values.join(', ')]) yield [name, value]
    }
  }
  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name
  }
  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value
  }
  forEach(work: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this.entries()) work(value, name, this)
  }
  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }
}
