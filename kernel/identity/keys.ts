import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { rootOf } from './attenuation/chain.ts'

export type Environment = 'live' | 'test'
/** `project` keys come from the command line, `principal` keys from the API, `minted` ones are short-lived. */
export type KeyKind = 'project' | 'principal' | 'minted'
/** How a key begins: of a project, of a principal, or minted. */
type Mark = `ap_${Environment}_` | 'apk_' | 'apt_'

export interface Key {
  /** The whole of it: shown once, stored nowhere. */
  readonly key: string
  /** Its beginning, by which people tell keys apart. */
  readonly prefix: string
  /** SHA-256 of the whole. */
  readonly hash: Buffer
  /** By which tokens are verified that its holder narrows; nothing short-lived has any. */
  readonly root: Buffer | null
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 4
const FORM = /^((?:ap_live_|ap_test_|apk_|apt_)[0-9A-Za-z]{32,64})([0-9A-Za-z]{6})$/

export function makeKey(mark: Mark): Key {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  const key = mark + random + checksum(mark + random)
  const root = mark === 'apt_' ? null : rootOf(key)
  return { key, prefix: mark + random.slice(0, SHOWN_LENGTH), hash: hashKey(key), root }
}

/** Whether a text is a key without a typo, by its checksum alone. */
export function isKey(text: string): boolean {
  const [, rest = '', sum] = FORM.exec(text) ?? []
  return checksum(rest) === sum
}

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

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
