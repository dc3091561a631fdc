import { randomBytes, timingSafeEqual, webcrypto } from 'node:crypto'
import { lineOf } from '../wire.ts'

/** Of one program at a time. */
const MOST = 32
const HASHES = new Set(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])
const MOST_RANDOM = 65_536

interface Order {
  readonly op: 'digest' | 'sign' | 'verify'
  readonly hash: string
  /** Base64, as the others. */
  readonly data: string
  readonly key?: string
  readonly signature?: string
}

/** Random bytes as hexadecimal digits. */
export const randomHex = (count: unknown): string =>
  randomBytes(Math.min(Math.max(1, Number(count) | 0), MOST_RANDOM)).toString('hex')

/** Digests and HMAC, which are not made by the program itself: Node's are faster, and other threads make them. */
export function createCrypto(tell: (line: string) => void) {
  let running = 0

  async function answerTo(text: string): Promise<string | boolean> {
    const order: Order = JSON.parse(text)
    if (!HASHES.has(order.hash)) throw new Error('There is no such hash')
    const data = Buffer.from(order.data, 'base64')
    if (order.op === 'digest')
      return Buffer.from(await webcrypto.subtle.digest(order.hash, data)).toString('base64')
    const algorithm = { name: 'HMAC', hash: order.hash }
    const raw = Buffer.from(order.key ?? '', 'base64')
    const key = await webcrypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
    const made = Buffer.from(await webcrypto.subtle.sign('HMAC', key, data))
    if (order.op === 'sign') return made.toString('base64')
    const given = Buffer.from(order.signature ?? '', 'base64')
    return given.length === made.length && timingSafeEqual(given, made)
  }

  return {
    isRunning: () => running > 0,

    ask(id: string, text: string): void {
      const made = running++ < MOST ? answerTo(text) : Promise.reject(new Error('Too much is computed'))
      made
        .then((it) => lineOf('k', id, 1, JSON.stringify(it)))
        .catch(() => lineOf('k', id, 0, '"It cannot be computed"'))
        .then((line) => {
          running--
          tell(line)
        })
    }
  }
}
