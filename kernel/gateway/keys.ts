import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type Environment = 'live' | 'test'
/** `project` keys come from the command line, `principal` keys from the API, `minted` ones are short-lived. */
export type KeyKind = 'project' | 'principal' | 'minted'

export interface Key {
  /** The whole of it: shown once, stored nowhere. */
  readonly key: string
  /** Its beginning, by which people tell keys apart. */
  readonly prefix: string
  /** SHA-256 of the whole. */
  readonly hash: Buffer
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 4

const kinds = new Map<string, KeyKind>([
  ['ap_live_', 'project'],
  ['ap_test_', 'project'],
  ['apk_', 'principal'],
  ['apt_', 'minted']
])
const form = /^(ap_live_|ap_test_|apk_|apt_)([0-9A-Za-z]{32,64})([0-9A-Za-z]{6})$/

/** A new key: `ap_live_` or `ap_test_` for a project, `apk_` for a principal, `apt_` for a minted one. */
export function makeKey(kind: KeyKind, environment: Environment): Key {
  const mark = kind === 'project' ? `ap_${environment}_` : kind === 'principal' ? 'apk_' : 'apt_'
  const random = randomDigits(RANDOM_LENGTH)
  const key = mark + random + checksum(mark + random)
  return { key, prefix: mark + random.slice(0, SHOWN_LENGTH), hash: hashKey(key) }
}

/** What kind of key a text is; undefined where it is none or has a typo. Asks nobody. */
export function checkKey(text: string): { kind: KeyKind; prefix: string } | undefined {
  const [, mark = '', random = '', sum] = form.exec(text) ?? []
  const kind = kinds.get(mark)
  if (!kind || checksum(mark + random) !== sum) return undefined
  return { kind, prefix: mark + random.slice(0, SHOWN_LENGTH) }
}

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Compares two hashes in a time that tells nothing about them. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)

/** Bytes from 248 up are left out: they would make the first eight digits more frequent. */
function randomDigits(length: number): string {
  const fair = 256 - (256 % DIGITS.length)
  let digits = ''
  while (digits.length < length)
    for (const byte of randomBytes(length)) {
      if (byte < fair && digits.length < length) digits += DIGITS[byte % DIGITS.length]
    }
  return digits
}

/** CRC-32 in base62, most significant digit first. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = DIGITS[rest % DIGITS.length] + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
