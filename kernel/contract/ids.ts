import { randomFillSync } from 'node:crypto'

const digits = '0123456789abcdefghjkmnpqrstvwxyz'
/** Two digits for each ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${digits[bits >> 5]}${digits[bits & 31]}`)
const pair = (bits: number) => pairs[bits & 1023] as string

// A call for each id would cost more than all the rest of it.
const random = new Uint8Array(8 * 512)
let used = random.length

let time = 0
let count = 0
let prefix = ''

/** The next place in time: within a millisecond a counter of twelve bits goes on from a random start. */
function tick(): void {
  const now = Date.now()
  count++
  if (now <= time && count < 4096) return
  time = Math.max(now, time + (now <= time ? 1 : 0))
  count = ((random[used] as number) << 3) & 0x7ff
  const high = Math.floor(time / 2 ** 20)
  const low = time % 2 ** 20
  prefix = pair(high >> 20) + pair(high >> 10) + pair(high) + pair(low >> 10) + pair(low)
}

/**
 * A new identifier, `<prefix>_` and a UUIDv7 in base32 (TypeID 0.3, RFC 9562). Those of one process are in the
 * order in which they were made.
 */
export function newId(type: string): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  tick()
  const at = used
  used += 8
  const byte = (index: number) => random[at + index] as number
  // The version and the counter, the variant, and 62 bits by chance.
  const first = (((0x7000 | count) << 4) | 0x8 | (byte(0) & 3)) >>> 0
  return `${type}_${prefix}${pair(first >> 10)}${pair(first)}${thirty(byte(1), byte(2), byte(3), byte(0) >> 2)}${thirty(byte(4), byte(5), byte(6), byte(7))}`
}

/** Six digits of 24 bits and the lower six of 8 more. */
function thirty(one: number, two: number, three: number, more: number): string {
  const bits = (one << 16) | (two << 8) | three
  return pair(bits >> 14) + pair(bits >> 4) + pair(((bits & 15) << 6) | (more & 63))
}

const shape = /^([a-z](?:[a-z_]{0,61}[a-z])?)_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** The type of an identifier, or undefined where it has not the shape of one. */
export const typeOfId = (id: string): string | undefined => shape.exec(id)?.[1]

/** When an identifier of `newId` was made, in milliseconds since 1970; NaN where it has not the shape of one. */
export function timeOfId(id: string): number {
  if (!shape.test(id)) return Number.NaN
  const from = id.lastIndexOf('_') + 1
  let time = 0
  for (let at = from; at < from + 10; at++) time = time * 32 + digits.indexOf(id.charAt(at))
  return time
}

/** Not above the identifiers of that type that were made at that time or later, and above those made before. */
export function firstIdAt(type: string, time: number): string {
  let left = Math.min(Math.max(Math.floor(time), 0), 2 ** 48 - 1)
  let text = ''
  for (let place = 0; place < 10; place++) {
    text = digits.charAt(left % 32) + text
    left = Math.floor(left / 32)
  }
  return `${type}_${text}${'0'.repeat(16)}`
}

/** The UUID in an identifier of `newId`, in 32 hexadecimal digits; undefined where it has not the shape of one. */
export function uuidOfId(id: string): string | undefined {
  if (!shape.test(id)) return undefined
  let bits = 0n
  for (const digit of id.slice(id.lastIndexOf('_') + 1)) bits = (bits << 5n) | BigInt(digits.indexOf(digit))
  return bits.toString(16).padStart(32, '0')
}
