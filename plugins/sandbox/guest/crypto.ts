import { bytesOf, fromBase64, toBase64 } from './encoding.ts'

const POOL = 1_024
const MOST_RANDOM = 65_536

interface Key {
  readonly type: 'secret'
  readonly extractable: boolean
  readonly algorithm: { readonly name: 'HMAC'; readonly hash: { readonly name: string } }
  readonly usages: readonly string[]
}

/** Of the Web's cryptography: digests, HMAC and random bytes. The process computes; keys are values of the program's own. */
export function createCrypto(random: (count: number) => string) {
  const waiting = new Map<string, { resolve(it: unknown): void; reject(error: unknown): void }>()
  const secrets = new WeakMap<Key, string>()
  let say: (line: string) => void = () => undefined
  let count = 0
  let pool = ''

  /** Hexadecimal digits of so many bytes. */
  function digits(bytes: number): string {
    if (bytes > POOL) return random(bytes)
    if (pool.length < 2 * bytes) pool = random(POOL)
    const taken = pool.slice(0, 2 * bytes)
    pool = pool.slice(2 * bytes)
    return taken
  }

  const ask = (order: object) =>
    new Promise<unknown>((resolve, reject) => {
      const id = String(++count)
      say(`k\t${id}\t${JSON.stringify(order)}`)
      waiting.set(id, { resolve, reject })
    })

  const hashOf = (algorithm: unknown) => {
    const { name = algorithm } = (algorithm ?? {}) as { name?: unknown }
    const hash = String(name).toUpperCase()
    if (!/^SHA-(1|256|384|512)$/.test(hash)) throw new TypeError(`There is no hash ${hash}`)
    return hash
  }
  const orderOf = (key: Key, usage: string, data: unknown) => {
    const secret = secrets.get(key)
    if (secret === undefined || !key.usages.includes(usage))
      throw new TypeError(`The key is not one to ${usage} with`)
    return { op: usage, hash: key.algorithm.hash.name, key: secret, data: toBase64(bytesOf(data)) }
  }

  const subtle = {
    async digest(algorithm: unknown, data: unknown) {
      const order = { op: 'digest', hash: hashOf(algorithm), data: toBase64(bytesOf(data)) }
      return fromBase64((await ask(order)) as string).buffer
    },

    async importKey(
      format: string,
      raw: unknown,
      algorithm: { name?: string; hash?: unknown },
      extractable: boolean,
      usages: readonly string[]
    ): Promise<Key> {
      if (format !== 'raw' || String(algorithm?.name).toUpperCase() !== 'HMAC')
        throw new TypeError('A key is the raw one of an HMAC')
      const hash = { name: hashOf(algorithm.hash) }
      const made = {
        type: 'secret',
        extractable,
        algorithm: { name: 'HMAC', hash },
        usages: [...usages]
      } as const
      secrets.set(made, toBase64(bytesOf(raw)))
      return made
    },

    sign: async (_: unknown, key: Key, data: unknown) =>
      fromBase64((await ask(orderOf(key, 'sign', data))) as string).buffer,

    verify: (_: unknown, key: Key, signature: unknown, data: unknown) =>
      ask({ ...orderOf(key, 'verify', data), signature: toBase64(bytesOf(signature)) })
  }

  function getRandomValues<T extends ArrayBufferView>(into: T): T {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
    if (bytes.length > MOST_RANDOM) throw new RangeError(`At most ${MOST_RANDOM} bytes at a time`)
    const given = digits(bytes.length)
    for (let n = 0; n < bytes.length; n++) bytes[n] = Number.parseInt(given.slice(2 * n, 2 * n + 2), 16)
    return into
  }

  function randomUUID(): string {
    const [hex, variant] = [digits(16), '89ab']
    const third = `4${hex.slice(13, 16)}`
    const fourth = `${variant[Number.parseInt(hex[16] as string, 16) & 3]}${hex.slice(17, 20)}`
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${third}-${fourth}-${hex.slice(20)}`
  }

  return {
    connect(send: (line: string) => void) {
      say = send
    },

    answer(id: string, ok: boolean, json: string) {
      const order = waiting.get(id)
      waiting.delete(id)
      if (ok) order?.resolve(JSON.parse(json))
      else order?.reject(new Error(JSON.parse(json)))
    },

    global: { subtle, getRandomValues, randomUUID }
  }
}
